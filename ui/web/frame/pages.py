"""List the pages in the order of the navigation. Gradio draws the frame, and each page's script fills its panel."""

from dataclasses import dataclass

from ui.web.frame.gradio_import import gr


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its name in the navigation, its address, and its folder in ui/static.

    page.js in this folder fills the page.
    """

    name: str
    route: str
    script: str
    libraries: tuple[str, ...] = ()  # addresses of scripts from libraries that the page always needs

    @property
    def module(self) -> str:
        """Return the path of the page's module below ui/static."""
        return f"{self.script}/page.js"


PAGES = (
    Page("Inspect", "", "inspect"),
    Page("Rate", "rate", "rate"),
    Page("Analyse", "analyse", "analyse", libraries=("/plotly.min.js",)),
)


def build_pages() -> gr.Blocks:
    """Return the pages as one Gradio app."""
    first, *others = PAGES
    with gr.Blocks(title="Capscope", analytics_enabled=False, fill_width=True) as blocks:
        _frame()
    for page in others:
        with blocks.route(page.name, f"/{page.route}"):
            _frame()
    return blocks


def _frame() -> None:
    gr.Navbar(main_page_name=PAGES[0].name, value=[("Studies", "studies")])  # made by the server, not Gradio
    # This element shows the page's script that Gradio has drawn its frame.
    gr.HTML('<div class="capscope-place"></div>', js_on_load=None, apply_default_css=False)
