"""Every word that a rater meets has a translation in every shipped catalogue."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from core.errors import BadFile, BadSetting
from core.studies.asking.form_words import missing_text
from tests.ui.conftest import Site
from ui.services.studies.study_results import design
from ui.services.texts.catalogue import ENGLISH, Catalogue
from ui.services.texts.catalogue_files import read_catalogue
from ui.services.texts.catalogues import LOCALE, Catalogues
from ui.services.texts.extraction import calls, messages
from ui.services.texts.server_texts import TEXTS

ROOT = Path(__file__).parents[2]
SHIPPED = sorted(path.parent.name for path in LOCALE.glob("*/rater.po"))
MESSAGES = messages()
HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: {plural};\\n"\n\n'
TWO_FORMS = HEAD.format(plural="nplurals=2; plural=(n != 1)")
# The modules whose errors raters can meet, and their texts that only managers or programs get.
ON_THE_WAY = (
    "storage/rating/assignment/comprehension_checks.py",
    "storage/rating/assignment/raters.py",
    "storage/rating/assignment/visits.py",
    "storage/rating/content/hidden_picture.py",
    "storage/rating/desk/answer_kinds.py",
    "storage/rating/desk/hints.py",
    "storage/rating/desk/given_items.py",
    "storage/rating/desk/saving_answers.py",
    "storage/accounts/study_links.py",
    "core/studies/asking/comprehension.py",
    "ui/web/access/raters.py",
    "ui/web/routes/rating.py",
    "ui/web/routes/visits.py",
    "ui/web/routes/study_entry.py",
)
NOT_FOR_RATERS = (
    "There is no rater with the number {}.",
    "The number of uses of a link must be from 1 to {}, found {}.",
    "This study has no link with the number {}.",
    "Expected a panel from 1 to {}, found {}.",  # pages never send these; programs may
    "This study does not ask for {}.",
    "In this study {} has points up to {}, found {}.",
    "{} compares panel 2 with panel 1, so the answer must belong to panel 2 of 2. Found panel {} of {}.",
    "The action has an unknown field.",
    "This rater gets no hints.",
    "Hints are shown only after the picture.",  # the page shows no problem with hints
    "Judge the sentence completely first. Hints are shown afterwards.",
    "There is no such link. Perhaps a part of the link is missing. Open the link again where you got it, or "
    "ask the person who sent it.",  # no link, so no study and no language
)


def blank(text: str) -> str:
    """Return a text with empty placeholders."""
    return re.sub(r"\{[^{}]*\}", "{}", text)


def written(path: Path) -> Iterator[str]:
    """Yield the texts of a module, with empty placeholders, without docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside | docs:
            yield blank(node.value)


def test_every_shipped_catalogue_says_that_nobody_has_reviewed_them() -> None:
    assert SHIPPED == ["de", "es", "ja", "zh-Hans"]
    listed = Catalogues().languages()
    assert [one.code for one in listed] == ["en", *SHIPPED]
    assert {one.review for one in listed[1:]} == {"machine-made, unreviewed"}
    assert [one.name for one in listed] == ["English", "Deutsch", "español", "日本語", "中文 (简体)"]


@pytest.mark.parametrize("code", SHIPPED)
def test_a_shipped_catalogue_translates_every_text_and_no_other(code: str) -> None:
    found = read_catalogue(LOCALE / code / "rater.po", code)
    assert {message.text for message in MESSAGES} == set(found.texts)
    for message in MESSAGES:
        said = found.texts[message.text]
        assert isinstance(said, str) == (message.plural is None), message.text
        forms = [said] if isinstance(said, str) else list(said.values())
        assert all(one.strip() or one == message.text for one in forms), message.text


@pytest.mark.parametrize("code", SHIPPED)
def test_a_plural_text_has_every_category_of_its_language(code: str) -> None:
    wanted = {"de": {"one", "other"}, "es": {"one", "many", "other"}, "ja": {"other"}, "zh-Hans": {"other"}}[code]
    found = read_catalogue(LOCALE / code / "rater.po", code)
    assert all(set(said) == wanted for said in found.texts.values() if not isinstance(said, str))


def test_texts_in_scripts_are_literals() -> None:
    call = re.compile(r"(?<![\w.$])(tn?|tx|later)\(\s*([^)\s])")
    for path in sorted((ROOT / "ui" / "static").rglob("*.js")):
        source = re.sub(r"^\s*(//|/?\*).*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        if path.name == "text.js" or "shared/text.js" not in source.replace('"./text.js', '"shared/text.js'):
            continue
        own = re.search(r'import \{([^}]*)\} from "[./]*(?:shared/)?text\.js"', source)
        found = [(name, first) for name, first in call.findall(source) if own is None or name in own[1]]
        names = [name for name, first in found if first == '"']
        texts = list(calls(source))
        assert len(texts) == len(names), path  # `t` of a marked text is the only other call
        assert all(name == "t" for name, first in found if first != '"'), path
        assert all(plural for name, (_, plural) in zip(names, texts, strict=True) if name == "tn"), path


def test_the_extraction_joins_literals_and_skips_comments() -> None:
    source = '// t("no")\nt(\n  "One " +\n    "two.",\n  { a },\n);\ntn("1 a", "{n} as", 3); out("no"); later("é\\n");'
    assert list(calls(source)) == [("One two.", None), ("1 a", "{n} as"), ("é\n", None)]


def test_the_program_still_has_every_text_of_the_server() -> None:
    program = [path for room in ("core", "storage", "ui") for path in (ROOT / room).rglob("*.py")]
    elsewhere = [text for path in program if path.name != "server_texts.py" for text in written(path)]
    exact = set(elsewhere)
    patterns = [
        re.compile(".+".join(map(re.escape, text.split("{}"))))
        for text in exact
        if "{}" in text and len(text.replace("{}", "").strip()) > 8
    ]
    notes = {missing_text(None, missing, 10, offers) for missing in (2, 7, 10) for offers in (True, False)}
    lost = [
        text
        for text in map(blank, TEXTS)
        if text not in exact | notes and not any(one.fullmatch(text) for one in patterns)
    ]
    assert lost == []
    assert notes <= set(TEXTS)


def test_every_error_on_a_raters_way_has_a_translation() -> None:
    known = {blank(text) for text in (*TEXTS, *NOT_FOR_RATERS)}
    found = {text for name in ON_THE_WAY for text in written(ROOT / name)}
    sentences = {text for text in found if re.fullmatch(r"[A-Z{].* .*\.", text, re.DOTALL)}
    assert len(sentences) > 30
    assert sorted(sentences - known) == []


def test_a_text_of_the_server_is_translated_with_its_values_and_others_stay_english() -> None:
    german = Catalogues().get("de")
    assert german.translated("This return key is wrong for the code K7.") == (
        "Dieser Rückkehrschlüssel ist für den Code K7 falsch."
    )
    hidden = "A sentence needs the picture, which is shown once Fluency is answered. Answer Fluency first."
    assert german.translated(hidden).startswith("Ein Satz braucht das Bild")  # a value may be a text, too
    assert "Fluency" in german.translated(hidden)
    assert german.translated("Nobody wrote this.") == "Nobody wrote this."
    assert Catalogue().translated("This link has expired.") == "This link has expired."


def test_pay_is_written_as_the_language_writes_money() -> None:
    german = Catalogues().get("de")
    assert german.money(900, "GBP") == "9,00\xa0£" and german.money(1000, "JPY") == "1.000\xa0¥"
    assert Catalogue().money(900, "GBP") == "£9.00" and german.money(None, "GBP") is None


def test_a_managers_file_replaces_the_shipped_one_and_is_read_again_after_a_change(tmp_path: Path) -> None:
    folder = tmp_path / "languages"
    folder.mkdir()
    own = folder / "de.po"
    own.write_text(TWO_FORMS + 'msgid "Saved"\nmsgstr "Gesichert"\n', encoding="utf-8")
    catalogues = Catalogues(tmp_path)
    assert catalogues.get("de").texts == {"Saved": "Gesichert"}
    (folder / "nl.po").write_text(TWO_FORMS + 'msgid "Saved"\nmsgstr "Bewaard"\n', encoding="utf-8")
    assert catalogues.codes() == (ENGLISH, "de", "es", "ja", "nl", "zh-Hans")
    own.write_text("nonsense", encoding="utf-8")
    with pytest.raises(BadFile, match=r"de\.po"):
        catalogues.get("de")
    assert catalogues.shown("de") == Catalogue()  # raters must go on
    assert "de" not in [one.code for one in catalogues.languages()]


def test_plural_forms_become_the_categories_of_the_language(tmp_path: Path) -> None:
    path = tmp_path / "ar.po"
    forms = "\n".join(f'msgstr[{at}] "{at} {{n}}"' for at in range(6))
    plural = "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5)"
    path.write_text(
        HEAD.format(plural=plural) + f'msgid "1 item"\nmsgid_plural "{{n}} items"\n{forms}\n', encoding="utf-8"
    )
    found = read_catalogue(path, "ar")
    assert found.direction == "rtl"
    names = ("zero", "one", "two", "few", "many", "other")
    assert found.texts == {"1 item": {name: f"{at} {{n}}" for at, name in enumerate(names)}}


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ('msgid "You rate as {code}"\nmsgstr "Sie bewerten"\n', "“You rate as {code}” must have the placeholders"),
        ('msgid "Saved"\nmsgstr "Gesichert {n}"\n', "must have the placeholders of the text: none"),
        ('msgid "1 item"\nmsgid_plural "{n} items"\nmsgstr[0] "1 Ding"\n', "needs 2 plural forms"),
        ("nonsense\n", "not a PO file"),
    ],
)
def test_a_damaged_file_is_refused_with_its_reason(tmp_path: Path, entry: str, problem: str) -> None:
    path = tmp_path / "de.po"
    path.write_text(TWO_FORMS + entry, encoding="utf-8")
    with pytest.raises(BadFile, match=re.escape(problem)):
        read_catalogue(path, "de")


def test_a_file_that_is_not_utf8_or_of_no_known_language_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "xx-odd.po"
    path.write_bytes(TWO_FORMS.encode() + b'msgid "Saved"\nmsgstr "gem\xe4\xdft"\n')
    with pytest.raises(BadSetting, match="not the code of a language"):
        read_catalogue(path, "xx-odd")
    with pytest.raises(BadFile, match="UTF-8"):
        read_catalogue(path, "de")
    with pytest.raises(BadSetting, match="There is no language tlh. Languages: en, de"):
        Catalogues(tmp_path).get("tlh")


def test_a_studys_language_reaches_its_raters_its_refusals_and_its_methods(site: Site, rater: TestClient) -> None:
    study = site.study(size=1, language="de")
    (shown,) = [one for one in rater.get("/api/rate/studies").json() if one["id"] == study.id]
    assert shown["language"] == "de"
    texts = rater.get("/api/rate/texts/de").json()
    assert (texts["language"], texts["direction"], texts["texts"]["Saved"]) == ("de", "ltr", "Gespeichert")
    lost = rater.get("/api/rate/items/none/feedback", headers={"X-Capscope-Language": "de"})
    assert lost.json() == {"kind": "not_yours", "detail": "Zu dieser Aufgabe gibt es keine Rückmeldung."}
    assert rater.get("/api/rate/items/none/feedback").json()["detail"] == "There is no feedback on this item."
    item = rater.get(f"/api/rate/studies/{study.id}/items").json()["items"][0]["id"]
    save = {"key": "k" * 12, "assignment": item, "kind": "note", "text": "x" * 4001, "age_ms": 0}
    answer = rater.post("/api/rate/saves", json={"saves": [save]}, headers={"X-Capscope-Language": "de"})
    (result,) = answer.json()["results"]
    assert result["refusal"]["detail"] == "Eine Notiz muss ein Text von höchstens 4000 Zeichen sein."
    assert rater.get("/api/rate/texts/tlh").status_code == 400
    said = design(site.workplace, study).page_language
    assert said == "German (de, translation machine-made, unreviewed)"


def test_a_study_needs_a_language_with_a_catalogue(site: Site) -> None:
    with pytest.raises(BadSetting, match="There is no language nl. Languages: en, de"):
        site.study(size=1, language="nl")
    with pytest.raises(BadSetting, match="The language must be a code such as en"):
        site.study(size=1, language="../x")
