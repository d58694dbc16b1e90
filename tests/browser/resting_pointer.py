"""What browsers report of a pointer that rests while the page moves below it. No test lives here."""

from playwright.sync_api import Locator, Page

_REPORTED = """(part, [selector, clientX, clientY]) => {
  part.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, clientX, clientY }));
  part.dispatchEvent(new PointerEvent("pointerenter", { clientX, clientY }));
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
        self._place = (round(box["x"]) + 9, round(box["y"]) + 9)
        page.mouse.move(*self._place)

    def page_moves(self, part: Locator, within: str) -> None:
        """Let another part come below the pointer, and then none; within: the selector of what holds the parts."""
        part.evaluate(_REPORTED, [within, *self._place])
