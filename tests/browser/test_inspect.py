"""The Inspect page: regions and phrases taken apart, captions edited, pictures brought along."""

import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import ExifTags, Image
from playwright.sync_api import BrowserContext, Locator, Page, expect

from core.metrics.hice import HICE
from core.models import ModelSettings
from storage.types import Search
from tests.browser.axe import findings, findings_in_both_colours
from tests.browser.conftest import SLOW_MS, Server, framed, with_workplace
from ui.services.importing.importing import import_files
from ui.services.scoring import scoring_plan

SCENE = (640, 480)  # width, height in px
DOG, GRASS, BALL = "a brown dog", "green grass", "red ball"
BOXES = {"dog": (60, 160, 260, 400), "grass": (0, 300, 640, 480), "umbrella": (420, 40, 600, 200)}  # x0, y0, x1, y1
CAPTION = "A brown dog runs on the grass with a red ball."
LONG = (
    " ".join(["A brown dog runs on the green grass with a red ball near a tall man in a blue shirt,"] * 11)
    + " and so on."
)


def instances(folder: Path, name: str, size: tuple[int, int], boxes: list[tuple[str, tuple[int, ...]]]) -> Path:
    """Write a COCO instances file in which every region of one picture is a rectangle."""
    labels = sorted({label for label, _ in boxes})
    rows = [
        {"image_id": 1, "category_id": labels.index(label), "segmentation": [[x0, y0, x1, y0, x1, y1, x0, y1]]}
        for label, (x0, y0, x1, y1) in boxes
    ]
    content = {
        "images": [{"id": 1, "file_name": name, "width": size[0], "height": size[1]}],
        "annotations": rows,
        "categories": [{"id": number, "name": label} for number, label in enumerate(labels)],
    }
    path = folder / f"{Path(name).stem}.instances.json"
    path.write_text(json.dumps(content))
    return path


def smoothed(components: dict[str, Any]) -> float:
    """The score that the probabilities of digits make (FLEUR, Section 3.2)."""
    p, q = components["p"], components.get("q", [0.0] * 10)
    return float(np.dot(np.arange(10), 0.1 * np.array(p) + 0.01 * np.array(q)))


def bring_in(
    server: Server, folder: Path, name: str, captions: list[str], boxes: list[tuple[str, tuple[int, ...]]]
) -> None:
    """Add a data set of one annotated picture."""
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.random.default_rng(1).integers(0, 255, (SCENE[1], SCENE[0], 3), np.uint8)).save(
        folder / f"{name}.jpg"
    )
    rows = [{"id": f"{name}-{number}", "image": f"{name}.jpg", "caption": text} for number, text in enumerate(captions)]
    digits = [0.0, 0.01, 0.02, 0.02, 0.05, 0.1, 0.1, 0.2, 0.4, 0.1]
    found = [{"raw": 0.2, "p": np.eye(10)[2].tolist()}, {"raw": 0.88, "p": digits, "q": digits}]
    scores = [{"metric": "FLEUR", "value": smoothed(one), "components": one} for one in found]
    for row, score in zip(rows, scores, strict=False):
        row["scores"] = [score]
    file = folder / f"{name}.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    regions = instances(folder, f"{name}.jpg", SCENE, boxes)
    with_workplace(server, lambda w: import_files(w, "jsonl", [file], name, regions=regions))


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with annotated pictures: an ordinary one, one of 150 regions, one of hostile labels."""
    folder = tmp_path_factory.mktemp("scenes")
    running = Server(folder / "data")
    running.data_dir.mkdir()
    bring_in(running, folder / "a", "scene", [CAPTION, "A man sleeps in a bed.", LONG], list(BOXES.items()))
    many = [
        (
            f"thing {number}",
            (40 * (number % 15), 40 * (number // 15), 40 * (number % 15) + 36, 40 * (number // 15) + 36),
        )
        for number in range(150)
    ]
    bring_in(running, folder / "b", "crowded", ["Many things stand on a table."], many)
    bring_in(
        running,
        folder / "c",
        "hostile",
        ["A <b>dog</b> & a cat."],
        [("<img src=x onerror=alert(1)>", (0, 0, 50, 50)), ("dog", (60, 60, 90, 90))],
    )
    running.start()
    yield running
    running.stop()


def sample_of(server: Server, text: str, dataset: str | None = None) -> int:
    found = with_workplace(server, lambda w: w.repository.samples.search(Search(dataset, text), 0, 1).samples)
    return int(found[0].id)


def open_sample(page: Page, server: Server, text: str, rest: str = "") -> Locator:
    """Open a sample and wait until its regions are there; returns what shows them."""
    page.goto(f"{server.url}/inspect?sample={sample_of(server, text)}{rest}")
    framed(page)
    regions = page.locator(".regions")
    expect(regions.locator(".region-counts")).to_contain_text("mentioned", timeout=SLOW_MS)
    return regions


def opened_menu(page: Page) -> Locator:
    """Open what is seldom needed: how the picture looks, saving it, a link."""
    panel = page.locator(".menu-panel")
    if not panel.is_visible():
        page.get_by_label("Display, save and link").click()
    expect(panel).to_be_visible()
    return panel


def numbers(page: Page) -> None:
    """Unfold the list of regions with its numbers."""
    page.get_by_text("Regions and numbers", exact=True).click()


def no_requests(page: Page, work: Callable[[], None]) -> None:
    """Do something in the page and see that the server is asked for nothing."""
    framed(page)
    page.wait_for_load_state("networkidle")  # what was asked for before has come
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    work()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    ours = [url for url in asked if not url.startswith(("data:", "blob:"))]
    # a browser takes the tab's icon from its cache again whenever the address changes
    assert [url for url in ours if not url.endswith("/icon.svg")] == []


def region(regions: Locator, label: str) -> Locator:
    return regions.locator(f"path[aria-label^='{label}:']")


def test_toggles_strength_zoom_and_pointing_ask_the_server_for_nothing(page: Page, scenes: Server) -> None:
    regions = open_sample(page, scenes, CAPTION)
    expect(regions.locator(".region-counts")).to_have_text("2 of 3 regions mentioned · 2 of 3 things found")
    expect(page.locator(".live-sentence")).to_have_text(
        "Names 3 things, 2 in the picture, 1 unknown. Omits the umbrella."
    )
    opened_menu(page)
    no_requests(page, lambda: try_everything(page, regions))


def try_everything(page: Page, regions: Locator) -> None:
    shown, legend, regions = regions.locator("path.region:visible"), page.locator(".legend"), page.locator("body")
    expect(legend).to_have_text("mentionednot mentioned")
    select = page.get_by_label("Regions shown")
    for choice, count in (("mentioned", 2), ("not mentioned", 1), ("none", 0), ("all", 3)):
        select.select_option(choice)
        expect(shown).to_have_count(count)
        if choice != "all":
            expect(legend).to_have_text("" if choice == "none" else choice)  # only the kinds that are drawn
    regions.get_by_label("Stronger outlines for larger recalls").check()
    expect(regions.locator(".lines .rim").first).to_have_css("opacity", re.compile(r"0\.\d+"))
    regions.get_by_label("Zoom in").click()
    expect(regions.locator(".zoom output")).to_have_text("150 %")
    regions.get_by_label("Zoom out").click()
    page.keyboard.press("Escape")
    expect(page.locator(".menu-panel")).to_be_hidden()
    regions.locator(".phrase", has_text="brown dog").hover()
    expect(regions.locator(".lit.region")).to_have_count(1)
    region(regions, "umbrella").hover()
    expect(regions.locator(".readout")).to_contain_text("umbrella: ")


def test_the_mean_of_the_chips_is_the_precision_and_the_mean_of_the_regions_the_recall(
    page: Page, scenes: Server
) -> None:
    regions = open_sample(page, scenes, CAPTION)
    numbers(page)
    chips = [float(text) for text in page.locator(".phrase .number").all_inner_texts() if text != "not compared"]
    rows = [float(text) for text in page.locator(".region-row .number").all_inner_texts()]
    whole = re.search(r"whole picture \(([\d.]+)\)", page.locator(".mean-of-regions").inner_text())
    assert whole is not None
    card = page.locator("[data-metric='HICE-S'] .part")
    for name, shown in (("precision", chips), ("recall", [*rows, float(whole[1])])):
        told = card.filter(has_text=name).locator("strong").inner_text()
        assert float(told) == pytest.approx(sum(shown) / len(shown), abs=0.0011)
    region(regions, "umbrella").hover()
    expect(regions.locator(".readout")).to_contain_text("recall ")


def test_everything_of_the_picture_can_be_done_with_the_keyboard_alone(page: Page, scenes: Server) -> None:
    regions = open_sample(page, scenes, CAPTION)
    page.locator("body").click(position={"x": 2, "y": 2})
    tab_to(page, "path.region")
    names = [page.evaluate("document.activeElement.getAttribute('aria-label')")]
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        names.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert {name.split(":")[0] for name in names} == {"dog", "grass", "umbrella"}
    page.keyboard.press("Enter")
    expect(regions.locator("path[aria-pressed=true]")).to_have_count(1)
    expect(page).to_have_url(re.compile("region="))
    tab_to(page, ".phrase-line.untold .phrase")
    assert page.evaluate("document.activeElement.className").startswith("phrase")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(regions.locator(".phrase[aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(regions.locator("[aria-pressed=true]")).to_have_count(0)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until what matches has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never came to {selector}")


def test_an_edited_caption_is_judged_as_it_is_typed_and_not_saved(page: Page, scenes: Server) -> None:
    regions = open_sample(page, scenes, CAPTION)
    box = page.get_by_label("Caption to score")
    expect(box).to_have_value(CAPTION)
    place = box.bounding_box()
    box.click()  # no mark takes the pointer
    expect(box).to_be_focused()
    box.fill("A large umbrella and a brown dog.")
    for seen in (box, regions.locator(".region-stage"), page.locator(".score-card[data-metric='HICE-S']")):
        expect(seen).to_be_in_viewport()
    expect(region(regions, "umbrella")).to_have_class("region mentioned")
    expect(regions.locator(".region-counts")).to_contain_text("2 of 3 regions mentioned")
    expect(page.locator(".score-card[data-metric='HICE-S']")).to_contain_text("score of the edited caption")
    expect(page.locator(".score-card[data-metric='FLEUR']")).to_contain_text("score of the sample’s own caption")
    assert box.bounding_box() == place  # whatever grows beneath it
    box.fill(" ")
    expect(page.locator(".change")).to_have_text("There is no caption to score. Write a caption.")
    box.fill("A large umbrella and a brown dog!")
    expect(page.locator(".change")).to_contain_text("Mentioned now: umbrella")
    page.get_by_role("button", name="leave out").click()
    expect(box).to_have_value("A brown dog runs.")
    page.get_by_role("button", name="Undo").click()
    expect(box).to_have_value(CAPTION)
    stored = with_workplace(scenes, lambda w: w.repository.samples.get(sample_of(scenes, CAPTION)))
    assert [outcome.metric for outcome in stored.outcomes] == ["FLEUR"]


def test_a_trial_edits_the_caption_says_what_that_changes_and_is_undone(page: Page, scenes: Server) -> None:
    regions = open_sample(page, scenes, CAPTION)
    assert page.evaluate("[scrollY, document.activeElement.tagName]") == [0, "BODY"]  # the headline is in sight
    page.get_by_role("button", name="leave out “grass”").click()
    expect(regions.locator(".marked-caption")).to_have_text("A brown dog runs.")
    expect(region(regions, "grass")).not_to_have_class(re.compile("mentioned"))
    change = page.locator(".change")
    expect(change.locator("del").first).to_have_text(" on the grass with a red ball")
    expect(change).to_contain_text("Not mentioned any more: grass")
    expect(change).to_contain_text(re.compile(r"HICE-S 0\.\d{3} → 0\.\d{3} \([−+]0\.\d{3}\)"))
    page.get_by_role("button", name="Undo").click()
    expect(regions.locator(".marked-caption")).to_have_text(CAPTION)
    expect(change).to_be_hidden()


def test_a_link_opens_the_sample_with_the_same_region_lit(page: Page, context: BrowserContext, scenes: Server) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    regions = open_sample(page, scenes, CAPTION)
    numbers(page)
    regions.locator(".region-row", has_text="umbrella").click()
    opened_menu(page)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    other = context.new_page()
    other.goto(link)
    expect(other.locator("path.region.lit[aria-label^='umbrella']")).to_be_visible(timeout=SLOW_MS)


def test_labels_and_captions_that_look_like_markup_are_text(page: Page, scenes: Server) -> None:
    alerts: list[str] = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    regions = open_sample(page, scenes, "<b>dog</b>")
    expect(regions.locator(".marked-caption")).to_have_text("A <b>dog</b> & a cat.")
    numbers(page)
    expect(regions.locator(".region-row", has_text="<img src=x onerror=alert(1)>")).to_be_visible()
    regions.locator(".region-row", has_text="<img").hover()
    assert alerts == []


def test_samples_are_found_by_metric_and_range_of_scores(page: Page, scenes: Server) -> None:
    page.goto(f"{scenes.url}/inspect?dataset=scene")
    expect(page.get_by_text("3 samples", exact=True)).to_be_visible()
    page.get_by_label("Scored by").select_option("FLEUR")
    expect(page.get_by_text("2 samples", exact=True)).to_be_visible()
    page.get_by_label("lowest score").fill("0.5")
    expect(page.get_by_text("1 sample", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_label("lowest score")).to_have_value("0.5")
    expect(page.locator("button.row")).to_contain_text("A man sleeps in a bed.")
    expect(page.locator(".digits svg").first).to_have_attribute(
        "aria-label", "first decimal: digit 8 has probability 0.400"
    )
    expect(page.locator(".digits")).to_have_count(2)
    expect(page.locator(".arithmetic")).to_have_text(
        "0.1 · Σ i·pᵢ + 0.01 · Σ i·qᵢ = 0.1 · 6.910 + 0.01 · 6.910 = 0.760"
    )
    expect(page.locator("[data-metric='FLEUR'] .score-value")).to_have_text("0.760")  # what the charts add up to
    page.get_by_label("lowest score").fill("")
    page.get_by_label("Order").select_option("lowest score first")
    expect(page).to_have_url(re.compile("sort=lowest"))
    lowest = page.locator("button.row").first
    expect(lowest).not_to_contain_text("A man sleeps in a bed.")
    lowest.click()
    page.get_by_role("button", name="Next sample").click()
    expect(page.locator(".marked-caption")).to_have_text("A man sleeps in a bed.")
    page.go_back()
    expect(page.locator("button.row[aria-pressed=true]")).not_to_contain_text("A man sleeps in a bed.")


def test_a_list_opens_with_the_address_that_names_it_and_becomes_a_data_set(page: Page, scenes: Server) -> None:
    sample = sample_of(scenes, CAPTION)
    page.goto(f"{scenes.url}/inspect?dataset=scene&regions=true&sample={sample}")
    expect(page.locator("button.row")).to_have_count(3)
    expect(page.locator("button.row[aria-pressed=true]")).to_contain_text(CAPTION)
    expect(page.get_by_label("Regions", exact=True)).to_have_value("true")
    page.get_by_label("Regions", exact=True).select_option("false")
    expect(page.get_by_text("0 samples", exact=True)).to_be_visible()
    page.go_back()
    expect(page.get_by_text("3 samples", exact=True)).to_be_visible()
    page.get_by_role("button", name="Export …").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as JSONL").click()
    assert len(saved.value.path().read_text(encoding="utf-8").splitlines()) == 3
    page.get_by_label("Name", exact=True).fill("scene, taken along")
    page.get_by_role("button", name="Create data set", exact=True).click()
    expect(page).to_have_url(re.compile("taken.along"))
    expect(page.get_by_text("3 samples", exact=True)).to_be_visible()


# -- pictures of one's own


def bring(page: Page, server: Server, name: str, content: bytes, caption: str = CAPTION) -> None:
    page.goto(f"{server.url}/inspect")
    page.get_by_role("button", name="Add picture").click()
    kind = "image/png" if name.endswith("png") else "image/jpeg"
    page.get_by_label("Picture file").set_input_files({"name": name, "mimeType": kind, "buffer": content})
    page.get_by_label("Caption", exact=True).fill(caption)
    page.get_by_role("button", name="Inspect picture").click()


def test_a_region_drawn_by_keys_and_named_lets_the_caption_be_judged(page: Page, scenes: Server) -> None:
    bring(page, scenes, "own.png", encoded(noise(320, 240), "PNG"), "A brown dog.")
    page.get_by_role("button", name="Draw boxes").click()
    for key in ("Space", *["ArrowRight"] * 9, *["ArrowDown"] * 9, "Space"):
        page.keyboard.press(key)
    page.locator(".suggested").get_by_role("button", name="dog").click()  # the caption names one
    expect(page.locator(".region-counts")).to_contain_text("1 of 1 region mentioned", timeout=SLOW_MS)  # models load
    sheet = page.locator("svg.drawing").bounding_box()  # the next box at once
    assert sheet is not None
    page.mouse.move(sheet["x"] + 5, sheet["y"] + 5)
    page.mouse.down()
    page.mouse.move(sheet["x"] + 60, sheet["y"] + 60)
    page.mouse.up()
    expect(page.locator(".suggested button")).to_have_count(0)
    page.get_by_label("What does the region show?").fill("umbrella")
    page.keyboard.press("Enter")
    expect(page.locator(".region-counts")).to_contain_text("1 of 2 regions mentioned")
    page.get_by_role("button", name="Remove umbrella").click()
    expect(page.locator(".region-counts")).to_contain_text("1 of 1 region mentioned")
    page.get_by_role("button", name="Remove dog").click()
    expect(page.locator("path.region")).to_have_count(0)
    assert findings(page) == []


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    written = io.BytesIO()
    image.save(written, kind, **options)
    return written.getvalue()


def noise(width: int, height: int, mode: str = "RGB") -> Image.Image:
    channels = {"RGB": 3, "RGBA": 4}[mode]
    small = np.random.default_rng(2).integers(0, 255, (height // 8, width // 8, channels), np.uint8)
    return Image.fromarray(small, mode).resize((width, height))


def portrait() -> bytes:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6  # lies on its side in the file: 400 x 200 is seen as 200 x 400
    return encoded(noise(400, 200), "JPEG", exif=exif)


@pytest.mark.parametrize(
    ("name", "make", "size"),
    [
        ("large.jpg", lambda: encoded(noise(6000, 4000), "JPEG"), (6000, 4000)),
        ("portrait.jpg", portrait, (200, 400)),
    ],
)
def test_a_picture_of_ones_own_is_shown_upright_under_its_regions(
    page: Page, scenes: Server, name: str, make: Callable[[], bytes], size: tuple[int, int]
) -> None:
    width, height = size
    bring(page, scenes, name, make())
    expect(page.get_by_role("button", name="Draw boxes")).to_be_visible(timeout=SLOW_MS)
    upper = {"label": "dog", "outline": [[0, 0], [width, 0], [width, height // 4], [0, height // 4]]}
    number = re.search(r"sample=(\d+)", page.url)
    assert number is not None
    address = f"{scenes.url}/api/samples/{number[1]}/regions"
    assert page.request.post(address, data=upper, headers={"X-Capscope": "1"}).json() == {"regions": 1}
    page.reload()
    expect(page.locator(".region-counts")).to_contain_text("1 of 1 region mentioned", timeout=SLOW_MS)
    photo = page.locator(".region-layer img")
    expect(photo).to_have_js_property("complete", True)
    shown = min(1, 4096 / max(size))
    assert photo.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [
        round(width * shown),
        round(height * shown),
    ]
    layer, dog = photo.bounding_box(), page.locator("path[aria-label^='dog']").bounding_box()
    assert layer is not None and dog is not None
    assert dog["height"] / layer["height"] == pytest.approx(0.25, abs=0.1)  # with its edge
    assert dog["width"] / layer["width"] == pytest.approx(1, abs=0.1)  # with its edge
    assert layer["width"] / layer["height"] == pytest.approx(width / height, rel=0.02)


def test_axe_finds_nothing_in_a_sample_taken_apart_light_or_dark(page: Page, scenes: Server) -> None:
    regions = open_sample(page, scenes, CAPTION)
    found = findings_in_both_colours(page)
    numbers(page)
    regions.locator(".phrase-line.untold .phrase").first.click()
    regions.locator(".phrase").first.click()
    page.locator(".setup summary").click()
    opened_menu(page)
    found += findings_in_both_colours(page)
    page.get_by_role("button", name="Add picture").click()
    found += findings_in_both_colours(page)
    assert found == []


def test_the_page_shows_the_very_numbers_of_the_command_line(page: Page, scenes: Server, tmp_path: Path) -> None:
    """The card's score is what the metric says of the same picture, regions and caption."""
    picture = next(scenes.data_dir.parent.rglob("scene.jpg"))
    file = next(scenes.data_dir.parent.rglob("scene.instances.json"))
    metric = HICE.load(ModelSettings(options={"regions": str(file)}))
    (outcome,) = metric.score([scoring_plan.sample_of(picture, CAPTION)])
    open_sample(page, scenes, CAPTION)
    value = page.locator(".score-card[data-metric='HICE-S'] .score-value").get_attribute("title")
    assert outcome.value == pytest.approx(float(value or "nan"), abs=1e-9)  # type: ignore[union-attr]


def test_a_judgement_that_fails_leaves_no_verdict_that_looks_like_its_own(page: Page, scenes: Server) -> None:
    open_sample(page, scenes, CAPTION)
    page.route("**/api/judge", lambda route: route.abort())
    page.get_by_label("Caption to score").fill("A green frog.")
    expect(page.locator(".regions-about")).to_contain_text(
        f"Not scored: The server does not answer. The marks below belong to “{CAPTION}”."
    )
    expect(page.locator(".score-card[data-metric='HICE-S']")).to_contain_text("The server does not answer.")
    sentence = page.locator(".live-sentence")
    expect(sentence).to_have_text("This caption was not compared with the picture.")
    page.get_by_role("button", name="Undo").click()
    expect(sentence).to_contain_text("Names 3 things")
