"""What browsers report of a pointer that rests while the page moves below it. No test lives here."""

from playwright.sync_api import Locator, Page

_COMES = """(part, [clientX, clientY]) => {
  part.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, clientX, clientY }));
  part.dispatchEvent(new PointerEvent("pointerenter", { clientX, clientY }));
}"""
_LEAVES = """(part, [selector, clientX, clientY]) => {
  for (const left of [part, part.closest(selector)]) {
    left.dispatchEvent(new PointerEvent("pointerleave", { clientX, clientY }));
  }
}"""


class RestingPointer:
    """A pointer near the upper left corner of an element, which it was moved to."""

    def __init__(self, page: Page, over: Locator) -> None:
        over.scroll_into_view_if_needed()
        box = over.bounding_box()
        assert box
        self._page, self._place = page, (round(box["x"]) + 9, round(box["y"]) + 9)
        page.mouse.move(*self._place)

    def part_comes(self, part: Locator) -> None:
        """Let a part of the page come below the pointer."""
        part.evaluate(_COMES, [*self._place])

    def part_leaves(self, part: Locator, within: str) -> None:
        """Let a part go away from below the pointer; within: the selector of what holds the parts."""
        part.evaluate(_LEAVES, [within, *self._place])

    def moves(self) -> None:
        """Move the pointer by a pixel, which leaves it over the same part."""
        x, y = self._place
        self._place = (x + 1, y)
        self._page.mouse.move(*self._place)
