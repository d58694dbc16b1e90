// What stands where something long is on its way.

import { el } from "./dom.js";

const TICK_MS = 1000;

/** Say what is being worked on and for how long; with `steps`, a bar shows how many are done. */
export function working(what, steps = 0) {
  const seconds = el("span", { "aria-hidden": "true" });
  const bar = steps > 0 && el("progress", { max: steps, value: 0, "aria-label": what });
  const node = el("p", { class: "quiet working" }, bar, el("span", { role: "status" }, `${what} …`), " ", seconds);
  const since = performance.now();
  const timer = setInterval(() => {
    if (!node.isConnected) return clearInterval(timer);
    seconds.textContent = `${Math.round((performance.now() - since) / 1000)} s`;
  }, TICK_MS);
  return { node, step: (done) => bar && bar.setAttribute("value", done) };
}
