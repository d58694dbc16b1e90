// Texts in the metadata of a PNG file.

const SIGNATURE = 8, HEADER = 25; // numbers of bytes of the PNG signature and of the header chunk after it
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum;
});

/** Return a copy of a PNG that contains texts, each under its keyword.
 * A Latin-1 text becomes a tEXt chunk, any other text an iTXt chunk. Empty texts are left out.
 * @param {Uint8Array} png @param {Record<string, string | undefined>} texts @returns {Uint8Array<ArrayBuffer>} */
export function withTexts(png, texts) {
  const chunks = Object.entries(texts).flatMap(([keyword, text]) => text ? [chunk(keyword, text)] : []);
  const parts = [png.subarray(0, SIGNATURE + HEADER), ...chunks, png.subarray(SIGNATURE + HEADER)];
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {string} keyword @param {string} text */
function chunk(keyword, text) {
  const isLatin = [...text].every((letter) => letter <= "ÿ");
  const bytes = isLatin ? Uint8Array.from(text, (letter) => letter.charCodeAt(0)) : new TextEncoder().encode(text);
  // iTXt has four more fields: compression flag and method (none), language and translated keyword (empty)
  const head = new TextEncoder().encode(isLatin ? `tEXt${keyword}\0` : `iTXt${keyword}\0\0\0\0\0`);
  const made = new Uint8Array(4 + head.length + bytes.length + 4), view = new DataView(made.buffer);
  view.setUint32(0, head.length - 4 + bytes.length); // the length of a chunk counts only its data
  made.set(head, 4);
  made.set(bytes, 4 + head.length);
  view.setUint32(made.length - 4, checksum(made.subarray(4, made.length - 4)));
  return made;
}

/** @param {Uint8Array} bytes */
function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = CRC[(sum ^ byte) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
