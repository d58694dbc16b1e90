// Saving a picture with its regions as it is seen: an SVG with the picture inside, or a PNG of that.

import { download } from "../shared/download.js";

const QUALITY = 0.92; // of the JPEG inside, 0-1

/** Save as "svg" or "png" in the picture's own size; an SVG says in words what it shows. */
export async function saveDrawing({ svg, photo, size }, kind, { title, about, name }) {
  const text = standAlone(svg, photo, size, title, about);
  const drawn = new Blob([text], { type: "image/svg+xml" });
  download(kind === "svg" ? drawn : await png(text, size), `${name.replace(/[^\w.-]+/g, "-")}.${kind}`);
}

function standAlone(svg, photo, { width, height }, title, about) {
  const copy = svg.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const opacity = copy.style.opacity;
  copy.removeAttribute("style");
  const layer = document.createElementNS(copy.namespaceURI, "g");
  layer.setAttribute("opacity", opacity || 1);
  const lit = copy.classList.contains("has-lit");
  for (const path of [...copy.querySelectorAll(".region")]) {
    const isLit = path.classList.contains("lit");
    if (path.style.display === "none" || (path.classList.contains("whole") && !isLit)) {
      path.remove();
      continue;
    }
    if (lit && !isLit) path.setAttribute("opacity", "0.2"); // styles of the page do not go with the file
    for (const name of ["tabindex", "style", "class", "aria-pressed", "data-look"]) path.removeAttribute(name);
    layer.append(path);
  }
  const image = document.createElementNS(copy.namespaceURI, "image");
  image.setAttribute("href", pixels(photo, width, height));
  image.setAttribute("width", width);
  image.setAttribute("height", height);
  const words = { title, desc: about };
  copy.prepend(
    ...Object.keys(words).map((name) =>
      Object.assign(document.createElementNS(copy.namespaceURI, name), { textContent: words[name] })
    ),
  );
  copy.append(image, layer);
  return new XMLSerializer().serializeToString(copy);
}

function pixels(photo, width, height) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  context.fillStyle = "white"; // under transparent pictures
  context.fillRect(0, 0, width, height);
  context.drawImage(photo, 0, 0, width, height);
  return canvas.toDataURL("image/jpeg", QUALITY);
}

async function png(text, { width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
