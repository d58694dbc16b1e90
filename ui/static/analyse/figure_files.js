// Saves figures as files: as a bitmap (PNG), as a drawing (SVG), or as a PDF that the browser prints, on a page of the
// drawing's size.

import { el } from "../shared/dom.js";
import { actions, button } from "../shared/elements.js";
import { download } from "../shared/tables.js";

/** @type {["png" | "svg" | "pdf", string][]} */
const FORMATS = [["png", "PNG"], ["svg", "SVG"], ["pdf", "PDF …"]];
const SCALE = 2; // PNG pixels per pixel of the drawing, in each direction

/** Save a drawing as "png", "svg" or "pdf".
 * @param {string} svg text of the drawing @param {{width: number, height: number}} size
 * @param {"png" | "svg" | "pdf"} format @param {string} name */
export async function saveFigure(svg, size, format, name) {
  if (format === "svg") return download(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`);
  const image = el("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, alt: name });
  await image.decode();
  if (format === "pdf") return printed(image, size, name);
  const canvas = el("canvas", { width: SCALE * size.width, height: SCALE * size.height });
  contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const bitmap = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!bitmap) throw new Error("The browser cannot draw a picture of this size. Save the figure as SVG.");
  download(bitmap, `${name}.png`);
}

/** Return the 2D drawing context of a canvas. @param {HTMLCanvasElement} canvas */
export function contextOf(canvas) {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser cannot draw pictures. Close other pages and try again.");
  return context;
}

/** Print a drawing alone, on a page of the drawing's size. The printed drawing stays a vector graphic.
 * @param {HTMLImageElement} image @param {{width: number, height: number}} size @param {string} name name of the
 * printed file */
function printed(image, { width, height }, name) {
  const sheet = new CSSStyleSheet(), title = document.title;
  sheet.replaceSync(
    `@page { size: ${width}px ${height}px; margin: 0 }
     .print-figure { display: none }
     @media print {
       body > *:not(.print-figure) { display: none !important }
       body { background: none !important }
       .print-figure { display: block }
       .print-figure img { display: block; width: ${width}px; height: ${height}px }
     }`,
  );
  const page = el("div", { class: "print-figure" }, image);
  document.body.append(page);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  document.title = name;
  const done = () => {
    page.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    document.title = title;
  };
  addEventListener("afterprint", done, { once: true });
  print();
}

/** Make buttons that save a figure. `save` is called with the chosen format.
 * @param {string} title @param {(format: "png" | "svg" | "pdf") => Promise<void> | void} save @param {...Node} more */
export function saveButtons(title, save, ...more) {
  return actions(
    el("span", { class: "quiet" }, "Save as"),
    FORMATS.map(([format, words]) =>
      button(words, () => save(format), "", {
        "aria-label": `${title} as ${format.toUpperCase()}`,
        title: format === "pdf" ? "opens the browser’s print dialog: choose “Save as PDF”" : false,
      })
    ),
    more,
  );
}
