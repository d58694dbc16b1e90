// Names of columns of scores: a metric's name, or its name with the part of the score that the column contains, such as
// "HICE-S#precision".

const MARK = "#", RAW = "raw"; // as core.analysis.column_names

/** Return the name of the column with a metric's scores before smoothing. @param {string} metric */
export const rawOf = (metric) => `${metric}${MARK}${RAW}`;

/** Return those column names that belong to parts of a metric's scores (such as recall).
 * @param {readonly string[]} names */
export const partsAmong = (names) => names.filter((name) => name.includes(MARK));
