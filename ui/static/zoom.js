// The picture in full: fit to the window, at its own size or larger; drag or scroll to move.

import { el } from "./dom.js";

const STEPS = [1, 1.5, 2, 3, 4, 6];

export function openZoom(item) {
  let step = 0;
  const image = el("img", { src: item.image, alt: item.picture.alt });
  const level = el("output", { class: "quiet" });
  const show = () => {
    image.style.width = `${STEPS[step] * 100}%`;
    level.textContent = `${Math.round(STEPS[step] * 100)} %`;
  };
  const by = (change) => {
    step = Math.min(STEPS.length - 1, Math.max(0, step + change));
    show();
  };
  const button = (text, label, click) => el("button", { type: "button", "aria-label": label, click }, text);
  const stage = el("div", { class: "zoom-stage", tabindex: "0", role: "region", "aria-label": "Enlarged picture" }, image);
  const box = el("dialog", { class: "zoom-box", "aria-label": "Enlarged picture" },
    el("p", { class: "zoom-tools" }, button("−", "Smaller", () => by(-1)), level, button("+", "Larger", () => by(1)),
      button("Close", "Close", () => box.close())),
    stage);
  box.addEventListener("keydown", (event) => {
    const change = { "+": 1, "=": 1, "-": -1 }[event.key];
    event.stopPropagation(); // the page's own keys rest meanwhile
    if (change) by(change);
    if (event.key === "z") box.close();
  });
  image.addEventListener("click", () => by(step === 0 ? 2 : -step));
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  stage.focus();
  show();
}
