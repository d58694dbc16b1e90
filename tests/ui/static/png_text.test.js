import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { withTexts } from "../../../ui/static/shared/png_text.js";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);

/** The chunks of a PNG: kind, content, and whether the checksum is right. */
function chunks(png) {
  const found = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at), end = at + 8 + length;
    const kind = png.toString("latin1", at + 4, at + 8);
    found.push({
      kind,
      content: png.subarray(at + 8, end),
      sound: png.readUInt32BE(end) === crc32(png.subarray(at + 4, end)),
    });
    at = end + 4;
  }
  return found;
}

Deno.test("texts follow the header of a PNG, Latin-1 as tEXt and others as iTXt, with sound checksums", () => {
  const made = chunks(
    Buffer.from(withTexts(PIXEL, { Signature: "HICE-S|w:1.25", Source: undefined, Title: "Ein Hund, 犬" })),
  );
  assert.deepEqual(made.map(({ kind }) => kind), ["IHDR", "tEXt", "iTXt", "IDAT", "IEND"]);
  assert.ok(made.every(({ sound }) => sound));
  assert.equal(made[1].content.toString("latin1"), "Signature\0HICE-S|w:1.25");
  assert.equal(made[2].content.toString("utf8"), "Title\0\0\0\0\0Ein Hund, 犬");
});
