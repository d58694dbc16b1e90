// Events of a pointer that has moved, as opposed to a resting pointer below which the page moves.

let x = NaN, y = NaN; // the place of the mouse pointer
/** @type {{element: any, work: () => void}[]} work of events that waits until the pointer moves */
let waiting = [];

addEventListener("pointermove", (event) => {
  if (!isResting(event)) runWaiting();
  note(event);
}, { capture: true });

/** Do the work of an event such as "pointerover" or "pointerleave" if the pointer has moved; if not, when it moves next.
 * If the page moves below a resting mouse pointer, browsers send these events too. Nobody chose the part that came below
 * the pointer, so it must not replace a part that was chosen by keys, or a message. No second event comes when the
 * pointer then moves within this part, so the work waits instead.
 * @param {PointerEvent} event @param {() => void} work */
export function whenMoved(event, work) {
  if (isResting(event)) {
    // a rater who uses only keys never moves the pointer, so forget elements that have left the page
    waiting = [...waiting.filter(({ element }) => element.isConnected), { element: event.currentTarget, work }];
    return;
  }
  runWaiting(); // first, in the order of the events
  work();
  setTimeout(() => note(event)); // later, because other events of the same move follow
}

/** @param {PointerEvent} event */
function isResting({ pointerType, clientX, clientY }) {
  return pointerType !== "touch" && pointerType !== "pen" && clientX === x && clientY === y;
}

/** @param {PointerEvent} event */
function note({ pointerType, clientX, clientY }) {
  if (pointerType !== "touch" && pointerType !== "pen") [x, y] = [clientX, clientY]; // touches rest nowhere
}

function runWaiting() {
  const every = waiting;
  waiting = [];
  for (const { element, work } of every) if (element.isConnected) work();
}
