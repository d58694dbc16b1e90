// The button of the Analyse page that saves everything on it as one file.

import { send, wordsOf } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { working } from "../shared/notices.js";
import { download, fileName } from "../shared/tables.js";

const REPORT_MS = 600_000; // ms; maximum time for writing the report, long enough for all slices of a large data set

/** Make a button that saves a report of all samples and slices.
 * @param {() => string} dataset returns the data set that is shown */
export function reportButton(dataset) {
  const message = el("span", { class: "quiet", role: "status" });
  const write = async () => {
    const name = dataset();
    report.disabled = true;
    message.replaceChildren(working("Writing the report of all samples and slices").node);
    try {
      const signal = AbortSignal.timeout(REPORT_MS);
      const query = new URLSearchParams({ dataset: name });
      const answer = await send("GET", `/api/analyse/report.html?${query}`, undefined, { signal });
      download(await answer.blob(), `${fileName(`${name} report`)}.html`);
      message.textContent = "The report is in your downloads. It is one file that every browser opens.";
    } catch (error) {
      message.textContent = wordsOf(error);
    }
    report.disabled = false;
  };
  const report = button("Report", write);
  return el("div", { class: "actions" }, message, report);
}
