"""Remove metadata from picture files: EXIF, XMP, comments, thumbnails, trailing data.

EXIF may state where a photo was taken, and with which camera. JPEG, PNG and WebP files are copied segment by segment,
so their pixel data stay identical. Only segments that a decoder needs are copied, so unknown kinds of metadata are
removed too. Orientation and ICC colour profile are kept.
"""

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath

from core.images.pictures import orientation, png

_UPRIGHT = 1  # value of the EXIF orientation of an upright picture
_JPEG, _PNG = b"\xff\xd8", b"\x89PNG\r\n\x1a\n"
_LONE_MARKERS = {0x01, *range(0xD0, 0xD8)}  # JPEG markers that have no length field after them
_SCAN, _END, _COMMENT, _APPLICATION = 0xDA, 0xD9, 0xFE, range(0xE0, 0xF0)
_NEXT_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")  # next marker after compressed pixels
_PNG_PARTS = {
    *(b"IHDR", b"PLTE", b"IDAT", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"cICP", b"mDCV", b"cLLI"),
    *(b"sBIT", b"bKGD", b"pHYs", b"hIST", b"acTL", b"fcTL", b"fdAT"),
}
_WEBP_PIXELS = {b"ALPH", b"VP8 ", b"VP8L"}
_WEBP_PARTS = {*_WEBP_PIXELS, b"ICCP", b"ANIM"}
_HAS_EXIF, _HAS_XMP = 0x08, 0x04  # flags of a VP8X part
_FRAME_HEADER = 16  # number of bytes at the start of an ANMF part (a frame), before the parts inside it


def published(path: Path, name: str, convert: Callable[[Path], bytes] = png) -> tuple[bytes, str]:
    """Return a picture's bytes without metadata, and its file name.

    JPEG, PNG and WebP keep their format and pixels. Other formats are converted to PNG, and the name gets the extension
    .png. Raises BadImage, OSError.
    """
    bare = without_metadata(path)
    return (convert(path), f"{PurePath(name).stem}.png") if bare is None else (bare, name)


def without_metadata(path: Path) -> bytes | None:
    """Return a JPEG, PNG or WebP file without metadata; None for other formats.

    A damaged file is not repaired. Raises OSError.
    """
    content = path.read_bytes()
    if content.startswith(_JPEG):
        return b"".join(_jpeg(content, orientation(path)))
    if content.startswith(_PNG):
        return b"".join(_png(content, orientation(path)))
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        parts = b"WEBP" + b"".join(_webp(content, orientation(path)))
        return b"RIFF" + struct.pack("<I", len(parts)) + parts
    return None


def _exif(turned: int) -> bytes:
    """Return an EXIF segment that contains only the orientation (1 to 8)."""
    return struct.pack("<2sHIHHHIHHI", b"II", 42, 8, 1, 0x0112, 3, 1, turned, 0, 0)


def _jpeg(content: bytes, turned: int) -> Iterator[bytes]:
    yield _JPEG
    if turned != _UPRIGHT:
        yield _segment(0xE1, b"Exif\0\0" + _exif(turned))
    at = 2
    while (at := content.find(b"\xff", at)) >= 0 and at + 1 < len(content):
        kind = content[at + 1]
        if kind in (0x00, 0xFF):  # fill bytes; decoders skip them too
            at += 1
        elif kind == _END:
            yield content[at : at + 2]
            return
        elif kind in _LONE_MARKERS or kind == 0xD8:
            at += 2
        else:
            end = at + 2 + int.from_bytes(content[at + 2 : at + 4], "big")
            body = content[at + 4 : end]
            if kind == _SCAN:
                marker = _NEXT_MARKER.search(content, end)
                end = len(content) if marker is None else marker.start()
                yield content[at:end]
            elif kind not in _APPLICATION and kind != _COMMENT:
                yield content[at:end]
            else:
                yield from _needed(kind, body)
            at = max(end, at + 2)


def _needed(kind: int, body: bytes) -> Iterator[bytes]:
    """Yield an application segment of a JPEG file if decoders need it.

    Decoders need JFIF (copied without its thumbnail), ICC, and Adobe's colour data.
    """
    if kind == 0xE0 and body.startswith(b"JFIF\0") and len(body) >= 14:
        yield _segment(kind, body[:12] + b"\0\0")
    elif (kind == 0xE2 and body.startswith(b"ICC_PROFILE\0")) or (kind == 0xEE and body.startswith(b"Adobe")):
        yield _segment(kind, body if kind == 0xE2 else body[:12])


def _segment(kind: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, kind, 2 + len(body)) + body


def _png(content: bytes, turned: int) -> Iterator[bytes]:
    yield _PNG
    at = len(_PNG)
    while at + 8 <= len(content):
        size, name = int.from_bytes(content[at : at + 4], "big"), content[at + 4 : at + 8]
        end = at + 12 + size
        if name in _PNG_PARTS:
            yield content[at:end]
        if name == b"IHDR" and turned != _UPRIGHT:
            chunk = b"eXIf" + _exif(turned)
            yield struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
        if name == b"IEND":
            yield content[at : at + 12]
            return
        at = end


def _webp(content: bytes, turned: int) -> Iterator[bytes]:
    at, end = 12, min(len(content), 8 + int.from_bytes(content[4:8], "little"))
    extended = False
    while at + 8 <= end:
        name, size = content[at : at + 4], int.from_bytes(content[at + 4 : at + 8], "little")
        body = content[at + 8 : min(end, at + 8 + size)]
        if name == b"VP8X" and body:
            extended = True
            flags = body[0] & ~(_HAS_EXIF | _HAS_XMP) | (_HAS_EXIF if turned != _UPRIGHT else 0)
            yield _part(name, bytes([flags]) + body[1:])
        elif name == b"ANMF":
            yield _part(name, body[:_FRAME_HEADER] + b"".join(_frame(body)))
        elif name in _WEBP_PARTS:
            yield _part(name, body)
        at += 8 + size + size % 2
    if extended and turned != _UPRIGHT:
        yield _part(b"EXIF", _exif(turned))


def _frame(body: bytes) -> Iterator[bytes]:
    at = _FRAME_HEADER
    while at + 8 <= len(body):
        name, size = body[at : at + 4], int.from_bytes(body[at + 4 : at + 8], "little")
        if name in _WEBP_PIXELS:
            yield _part(name, body[at + 8 : at + 8 + size])
        at += 8 + size + size % 2


def _part(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)
