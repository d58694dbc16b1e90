"""Browser profiles that tests have one after another: what a new one and a new tab cost is paid once.

Compiling Gradio's scripts takes half of a page's time in a new profile, and loading them a third of it in a new tab.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page

CLEARED = "local_storage,indexeddb"
UNSET: Any = "null"  # what Playwright calls a medium as it is by itself


class Profile:
    """A profile that holds nothing of an earlier test once it is cleared; only its caches are warm."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context: BrowserContext = browser.new_context(**options)
        self.context.set_default_timeout(60_000)  # a busy machine takes a while
        window = self.context.new_page()  # stays open, so that no test needs another one to clean up in
        self._tools = self.context.new_cdp_session(window)
        self._size = window.viewport_size
        self._opened: list[Page] = []
        self._heard: list[tuple[Any, Callable[..., Any]]] = []
        self.context.on("page", lambda page: self._opened.append(page))
        self._tab: Page | None = None

    def tab(self) -> Page:
        """Return the tab that one test after another has; scripts that a test adds to it would stay."""
        if self._tab is None or self._tab.is_closed():
            self._tab = self.context.new_page()
            self._note_listeners(self._tab)
        return self._tab

    def _note_listeners(self, tab: Page) -> None:
        listen = tab.on

        def on(event: Any, heard: Callable[..., Any]) -> None:
            self._heard.append((event, heard))
            listen(event, heard)

        tab.on = on  # type: ignore[method-assign]

    def clear(self) -> None:
        """Take away cookies, storage, routes, listeners and other tabs of a test."""
        context, tab = self.context, self._tab
        context.unroute_all(behavior="ignoreErrors")
        context.set_offline(False)
        context.clear_cookies()
        context.clear_permissions()
        opened = {*self._opened, *([tab] if tab else [])}
        origins = {origin_of(page.url) for page in opened}
        for page in opened:
            if page != tab:
                page.close()
        if tab is not None and not tab.is_closed():
            self._clear(tab)
        self._heard.clear()
        for origin in origins - {origin_of("about:blank")}:
            self._tools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": CLEARED})
        self._opened.clear()

    def _clear(self, tab: Page) -> None:
        while self._heard:
            tab.remove_listener(*self._heard.pop())
        try:
            tab.unroute_all(behavior="ignoreErrors")
            tab.evaluate("() => globalThis.origin === 'null' || sessionStorage.clear()")
            tab.goto("about:blank")
            tab.emulate_media(media=UNSET, color_scheme=UNSET, reduced_motion=UNSET, forced_colors=UNSET)
            if tab.viewport_size != self._size and self._size is not None:
                tab.set_viewport_size(self._size)
        except Error:  # of a page that will not be left
            tab.close()


class Profiles:
    """The profiles of a browser, of each kind as many as tests have needed at the same time."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Profile]] = {}

    @contextmanager
    def lent(self, **options: Any) -> Iterator[Profile]:
        """Have a profile with these options of Browser.new_context to oneself."""
        free = self._free.setdefault(repr(sorted(options.items())), [])
        profile = free.pop() if free else Profile(self._browser, **options)
        try:
            yield profile
        finally:
            profile.clear()
            free.append(profile)

    @contextmanager
    def page(self, **options: Any) -> Iterator[Page]:
        """Have the tab of such a profile, as somebody else's browser has one."""
        with self.lent(**options) as profile:
            yield profile.tab()


def origin_of(url: str) -> str:
    return "/".join(url.split("/")[:3])
