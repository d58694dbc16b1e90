// Events of a pointer that has moved, as opposed to a resting pointer below which the page moves.

let x = NaN, y = NaN; // the place of the mouse pointer
/** @type {Map<any, () => void>} maps an element to the work of its last event, which waits until the pointer moves */
const waiting = new Map();

addEventListener("pointermove", (event) => {
  if (!isResting(event)) runWaiting();
  note(event);
}, { capture: true });
// Later, because "pointerenter" and "pointerleave" of the same move come after "pointerover".
addEventListener("pointerover", (event) => setTimeout(() => note(event)), { capture: true });

/** Do the work of an event such as "pointerover" or "pointerleave" if the pointer has moved; if not, when it moves next.
 * If the page moves below a resting mouse pointer, browsers send these events too. Nobody chose the part that came below
 * the pointer, so it must not replace a part that was chosen by keys, or a message. No second event comes when the
 * pointer then moves within this part, so the work waits instead.
 * @param {PointerEvent} event @param {() => void} work */
export function whenMoved(event, work) {
  if (isResting(event)) {
    wait(event.currentTarget, work);
    return;
  }
  runWaiting(); // first, in the order of the events
  work();
}

/** @param {PointerEvent} event */
function isResting(event) {
  return isMouse(event) && event.clientX === x && event.clientY === y;
}

/** @param {PointerEvent} event */
function isMouse({ pointerType }) {
  return pointerType !== "touch" && pointerType !== "pen"; // these have no place between two touches
}

/** @param {PointerEvent} event */
function note(event) {
  if (isMouse(event)) [x, y] = [event.clientX, event.clientY];
}

/** Forget the work of elements that have left the page: a rater who uses only keys never moves the pointer.
 * @param {any} element @param {() => void} work */
function wait(element, work) {
  for (const other of waiting.keys()) if (!other.isConnected) waiting.delete(other);
  waiting.delete(element); // so that the order is that of the events
  waiting.set(element, work);
}

function runWaiting() {
  const every = [...waiting];
  waiting.clear();
  for (const [element, work] of every) if (element.isConnected) work();
}
