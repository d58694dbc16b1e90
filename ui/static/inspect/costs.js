// The cost of a score in words: the tokens that the model server counted, and the seconds of each part of the work.

/** @import { ErrorJson, ScoreJson, Usage } from "../shared/wire.d.ts" */

/** @param {ScoreJson | ErrorJson} outcome */
export function costInWords({ usage, seconds }) {
  return `${tokens(usage)} ${time(seconds)}`;
}

/** @param {Usage | null} usage */
function tokens(usage) {
  if (!usage) return "Tokens: no number is stored.";
  const answers = `${usage.answers} ${usage.answers === 1 ? "answer" : "answers"}`;
  if (usage.total === null) return `Tokens: the server did not report tokens for ${answers}.`;
  const parts = [
    `${number(usage.prompt)} in prompts${usage.cached === null ? "" : ` (${number(usage.cached)} cached)`}`,
    `${number(usage.completion)} in answers${
      usage.reasoning === null ? "" : ` (${number(usage.reasoning)} of reasoning)`
    }`,
  ];
  const counted = usage.counted < usage.answers ? `, ${usage.counted} with a token count` : "";
  return `Tokens: ${number(usage.total)} for ${answers}${counted}: ${parts.join(", ")}.`;
}

/** @param {Record<string, number>} seconds */
function time(seconds) {
  const parts = Object.entries(seconds);
  if (!parts.length) return "Seconds: not measured.";
  const all = parts.reduce((sum, [, took]) => sum + took, 0);
  return `Seconds: ${all.toFixed(2)} (${parts.map(([part, took]) => `${part} ${took.toFixed(2)}`).join(", ")}).`;
}

/** @param {number | null} count */
const number = (count) => (count ?? 0).toLocaleString("en");
