// Samples as columns: unpacks the arrays of /api/analyse/points, and selects some of the samples in them.

/** @import { PackedPoints } from "../shared/wire.d.ts" */
/** @import { Points } from "../shared/types.d.ts" */

/** Unpack the arrays of /api/analyse/points.
 * @param {PackedPoints} points @returns {Points} */
export function unpacked(points) {
  return {
    stamp: points.stamp,
    samples: points.samples,
    ids: new Int32Array(bytes(points.ids)),
    human: floats(points.human),
    groups: { ...points.groups, of: new Int8Array(bytes(points.groups.of)) },
    metrics: points.metrics.map((metric) => ({
      ...metric,
      value: floats(metric.value),
      raw: metric.raw ? floats(metric.raw) : null,
    })),
  };
}

/** Return the samples that a mask of /api/analyse/members selects.
 * @param {Points} points @param {string} mask @returns {Points} */
export function within(points, mask) {
  const bits = new Uint8Array(bytes(mask)), kept = new Int32Array(points.samples);
  let size = 0;
  for (let i = 0; i < points.samples; i++) if ((bits[i >> 3] >> (i & 7)) & 1) kept[size++] = i;
  const chosen = kept.subarray(0, size);
  /** @type {<Values extends Float32Array | Int32Array | Int8Array>(values: Values) => Values} */
  const cut = (values) => taking(values, chosen);
  return {
    ...points,
    samples: size,
    ids: cut(points.ids),
    human: cut(points.human),
    groups: { ...points.groups, of: cut(points.groups.of) },
    metrics: points.metrics.map((metric) => ({
      ...metric,
      value: cut(metric.value),
      raw: metric.raw && cut(metric.raw),
    })),
  };
}

/** Return the values at some indices, in a typed array of the same kind.
 * @template {Float32Array | Int32Array | Int8Array} Values @param {Values} values @param {ArrayLike<number>} places
 * indices @returns {Values} */
export function taking(values, places) {
  const found = new (/** @type {new (length: number) => Values} */ (values.constructor))(places.length);
  for (let i = 0; i < places.length; i++) found[i] = values[places[i]];
  return found;
}

/** Decode bytes from base64. @param {string} text */
export function bytes(text) {
  const letters = atob(text), found = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) found[i] = letters.charCodeAt(i); // several times as fast as Uint8Array.from
  return found.buffer;
}

/** Decode float32 numbers from base64. @param {string} text */
export function floats(text) {
  return new Float32Array(bytes(text));
}

/** Return the indices of the samples that have a value in both columns.
 * @param {Float32Array} first @param {Float32Array} second */
export function both(first, second) {
  const places = new Int32Array(first.length);
  let size = 0;
  for (let i = 0; i < first.length; i++) {
    if (Number.isFinite(first[i]) && Number.isFinite(second[i])) places[size++] = i;
  }
  return places.subarray(0, size);
}
