// Round numbers for display, in the same way as the server rounds the numbers in its texts and tables.

// Values are first rounded to this number of decimals: 100 × 0.8335 is 83.35000000000001, and has to count as 83.35.
const EXACT = 9;

/** Round a number half up in decimal digits, as core/statistics/rounding.py does. Zero never gets a minus sign.
 * @param {number} value @param {number} decimals at most EXACT */
export function halfUp(value, decimals) {
  if (!Number.isFinite(value)) return String(value);
  const digits = BigInt(Math.abs(value).toFixed(EXACT).replace(".", "")), step = 10n ** BigInt(EXACT - decimals);
  const kept = (digits + step / 2n) / step, text = String(kept).padStart(decimals + 1, "0");
  const whole = text.slice(0, text.length - decimals), sign = value < 0 && kept > 0n ? "-" : "";
  return decimals ? `${sign}${whole}.${text.slice(-decimals)}` : `${sign}${whole}`;
}

/** Format a score with three decimals. The tooltip of the text should contain the exact value.
 * @param {number} value */
export function rounded(value) {
  return halfUp(value, 3);
}
