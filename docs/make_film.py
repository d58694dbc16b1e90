"""Make the README's film: ten seconds of the demo in a real browser, as an animated WebP."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from make_pictures import PICTURES, opened
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Locator, Page, expect

WIDTH, HEIGHT = 1040, 640  # px
MOST_BYTES = 1_000_000
QUALITIES = (82, 74, 66, 58, 50)  # WebP qualities to try; the first one whose file is small enough is used
STEPS, STEP_MS = 5, 50  # number of frames, and ms per frame, while the arrow moves
ARROW = ((0, 0), (0, 17), (4, 13), (7, 19), (10, 18), (7, 12), (12, 12))
KEY_PX = 44  # size in px of the keyboard key that is drawn near the bottom


@dataclass
class Film:
    """The frames of the film. Each frame shows the mouse arrow and has a display time."""

    page: Page
    frames: list[Image.Image] = field(default_factory=list)
    times: list[int] = field(default_factory=list)  # ms
    arrow: tuple[float, float] = (WIDTH * 0.7, HEIGHT * 0.9)

    def take(self, stands_ms: int, key: str = "") -> None:
        """Add a frame of the current page.

        stands_ms: how long the frame is shown. key: name of a keyboard key that is drawn into the frame; empty: none.
        """
        frame = _drawn(self._screen(), self.arrow, key)
        self.frames.append(frame)
        self.times.append(stands_ms)

    def point(self, target: Locator, stands_ms: int) -> None:
        """Move the arrow to an element. Add a frame that shows the element's reaction."""
        box = target.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        screen, (from_x, from_y) = self._screen(), self.arrow
        for step in range(1, STEPS):
            share = step / STEPS
            place = (from_x + share * (x - from_x), from_y + share * (y - from_y))
            self.frames.append(_drawn(screen, place))
            self.times.append(STEP_MS)
        self.arrow = (x, y)
        self.page.mouse.move(x, y)
        self.take(stands_ms)

    def press(self, key: str, stands_ms: int) -> None:
        """Press a keyboard key. Add a frame that also shows the key."""
        self.page.keyboard.press(key)
        self.page.wait_for_timeout(300)  # wait for animations
        self.take(stands_ms, key)

    def save(self) -> int:
        """Write the film with the best quality below the size limit. Returns its size in bytes."""
        for quality in QUALITIES:
            content = io.BytesIO()
            first, *others = self.frames
            first.save(
                content,
                "WEBP",
                save_all=True,
                append_images=others,
                duration=self.times,
                loop=0,
                quality=quality,
                method=6,
            )
            if content.tell() <= MOST_BYTES:
                break
        (PICTURES / "film.webp").write_bytes(content.getvalue())
        return content.tell()

    def _screen(self) -> Image.Image:
        return Image.open(io.BytesIO(self.page.screenshot(animations="disabled"))).convert("RGB")


def _drawn(screen: Image.Image, arrow: tuple[float, float], key: str = "") -> Image.Image:
    frame = screen.copy()
    draw = ImageDraw.Draw(frame)
    if key:
        _draw_key(draw, key)
    else:
        _draw_arrow(draw, [(arrow[0] + x, arrow[1] + y) for x, y in ARROW])
    return frame


def _draw_arrow(draw: ImageDraw.ImageDraw, points: Sequence[tuple[float, float]]) -> None:
    draw.polygon(points, fill="black", outline="white")


def _draw_key(draw: ImageDraw.ImageDraw, key: str) -> None:
    left, top = (WIDTH - KEY_PX) // 2, HEIGHT - KEY_PX - 88
    draw.rounded_rectangle((left, top, left + KEY_PX, top + KEY_PX), 8, fill="#1b1f24", outline="white", width=2)
    font = ImageFont.load_default(26)
    draw.text((left + KEY_PX / 2, top + KEY_PX / 2), key, fill="white", font=font, anchor="mm")


def inspect(film: Film, address: str) -> None:
    """Point at phrases of a caption, then try three suggested edits."""
    page = film.page
    page.goto(address)  # opens the first sample, without the list of samples
    expect(page.locator("path.region[data-look=mentioned]").first).to_be_visible(timeout=120_000)
    expect(page.locator(".trials button").first).to_be_visible()
    page.wait_for_timeout(500)
    film.take(1100)
    for phrase in page.locator(".phrase").all()[:3:2]:
        film.point(phrase, 900)
    for button in page.locator(".trials button:not(:has-text('Undo'))").all():
        film.point(button, 250)
        button.click()
        expect(page.locator(".change-score")).to_be_visible(timeout=60_000)
        page.wait_for_timeout(300)
        film.take(1000)


def rate(film: Film, address: str) -> None:
    """Rate an item with the keyboard."""
    page = film.page
    page.goto(f"{address}/rate")
    page.get_by_label("Your code").fill("K7")
    page.get_by_role("button", name="Start").click()
    while not page.get_by_text("naval uniform").count():
        page.keyboard.type("344")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text=re.compile("Saved|Nothing to save yet"))).to_be_visible()
    film.take(700)
    film.press("4", 900)
    film.press("3", 500)
    film.press("4", 900)


def main() -> None:
    """Record the film and save it."""
    with opened(WIDTH, HEIGHT) as (page, address):
        film = Film(page)
        inspect(film, address)
        rate(film, address)
        print(f"film.webp: {film.save():,} bytes, {sum(film.times) / 1000:.1f} s, {len(film.frames)} frames")


if __name__ == "__main__":
    main()
