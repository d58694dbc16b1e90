// Whether the pointer has moved, or only the page below it.

let x = NaN, y = NaN; // the place to which the pointer moved last
addEventListener("pointermove", ({ clientX, clientY }) => [x, y] = [clientX, clientY]);

/** Return whether an event such as "pointerover" or "pointerleave" comes from a moved pointer.
 * If the page moves below a resting pointer, browsers send these events too. Nobody chose the part that came below the
 * pointer, so it must not replace a part that was chosen by keys, or a message.
 * @param {MouseEvent} event */
export function hasMoved({ clientX, clientY }) {
  return clientX !== x || clientY !== y; // the move itself is reported after these events
}
