"""What the plain forms of a study's page do: state, links, settings, questions, raters, copies, deletion."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Response

from core.errors import BadSetting, CapscopeError, ChangedMeanwhile, UserError
from core.studies.asking.questionnaire import LONGEST_CONSENT, questions_of
from core.studies.design import State
from core.studies.planning.gold import MAKINGS, Proposal
from core.studies.planning.platforms import RETURNING, End, Ending, Platform
from storage.accounts.study_links import MOST_USES
from storage.rating.raters import clean_code
from ui.services.accounts.invitations import study_address
from ui.services.studies import gold as gold_items
from ui.services.studies.study_actions import erase_rater
from ui.web.access.access_checks import note
from ui.web.access.gates import gate
from ui.web.routes import Id, Stamp
from ui.web.routes.dependencies import BaseAddressDep, PageDep, SecretDep
from ui.web.routes.study_pages import Fresh, gold_page, rater_page, study_page

Text = Annotated[str, Form(max_length=1000)]
Long = Annotated[str, Form(max_length=LONGEST_CONSENT)]
Opened = Annotated[Stamp, Form()]  # version of the settings that the page showed
ROUTER = APIRouter(include_in_schema=False, prefix="/studies/{study_id}")


class OnPage:
    """The page of one study, to which a form leads back."""

    def __init__(self, study_id: Id, page: PageDep) -> None:
        self.page, self.request, self.workplace, self.repository = page, page.request, page.workplace, page.repository
        self.study = page.repository.studies.get(study_id)

    def done(self, work: Callable[[], Any], about: str = "", to: str | None = "", **typed: str) -> Response:
        """Do some work, and lead to a page below the study's. If the work is refused, show the study's page again.

        to: None: the work returns the path of the page. typed: what fields of the settings hold if that is wrong.
        """
        note(self.request, f"study {self.study.name}{about and f': {about}'}")
        try:
            made = work()
        except ChangedMeanwhile as error:
            return self.shown(problem=str(error), status=409)
        except UserError as error:
            return self.shown(problem=str(error), status=400, **typed)
        return self.page.lead(made if to is None else f"/studies/{self.study.id}{to}")

    def shown(self, **values: Any) -> Response:
        """Return the study's page."""
        return study_page(self.page, self.repository.studies.get(self.study.id), **values)


OnPageDep = Annotated[OnPage, Depends()]


@ROUTER.post("/state", **gate("researcher", "study's state changed"))
def state(page: OnPageDep, state: Annotated[State, Form()], stamp: Opened) -> Response:
    """Change a study's state."""
    about = f"{page.study.state} to {state}"
    return page.done(lambda: page.repository.studies.step(page.study.id, state, stamp), about)


@ROUTER.post("/links", **gate("researcher", "study link made"))
def links(page: OnPageDep, base: BaseAddressDep, codes: Text = "", uses: Text = "") -> Response:
    """Make links for raters: one for each code, or an open link."""
    study = page.study
    try:
        wanted = tuple(dict.fromkeys(clean_code(code) for code in codes.replace(",", " ").split())) or (None,)
        many = _number("The number of browsers", uses, MOST_USES)
        made = page.repository.links.make_all(study.id, wanted, many)
    except UserError as error:
        return page.shown(problem=str(error), status=400)
    note(page.request, f"study {study.name}, links: {', '.join(link.rater or 'open' for link, _ in made)}")
    return page.shown(fresh=tuple(Fresh(link.rater or "Everyone", study_address(base, token)) for link, token in made))


@ROUTER.post("/panel-links", **gate("researcher", "study link made"))
async def panel_link(page: OnPageDep, base: BaseAddressDep) -> Response:
    """Make a link for a recruitment platform."""
    form = {name: str(value).strip() for name, value in (await page.request.form()).items()}
    try:
        ends = {ending: _end(form, ending) for ending in RETURNING}
        panel = Platform(form.get("name", ""), form.get("person", ""), ends)
        many = _number("The number of raters", form.get("uses", ""), MOST_USES)
        link, token = page.repository.links.make(page.study.id, None, many, panel)
    except UserError as error:
        return page.shown(problem=str(error), status=400)
    note(page.request, f"study {page.study.name}: {panel.name}, link {link.id}")
    return page.shown(fresh=(Fresh(panel.name, panel.address(study_address(base, token))),))


@ROUTER.post("/links/{link_id}/close", **gate("researcher", "study link closed"))
def close_link(page: OnPageDep, link_id: Id) -> Response:
    """Close a link, and sign its raters out."""
    return page.done(lambda: page.repository.links.close(page.study.id, link_id, True), f"link {link_id}", "#links")


@ROUTER.post("/settings", **gate("researcher", "study's settings changed"))
def settings(
    page: OnPageDep,
    stamp: Opened,
    deadline: Text = "",
    items_per_rater: Text = "",
    hold_hours: Text = "",
    contact: Text = "",
    new_raters: Text = "",
) -> Response:
    """Change a study's deadline, items per rater, hold time, contact, and whether new raters get items."""

    def work() -> None:
        page.repository.studies.settle(
            page.study.id,
            stamp,
            deadline=_deadline(deadline, page.study.design.deadline),
            items_per_rater=_number("The number of items per rater", items_per_rater),
            hold_hours=_hours(hold_hours),
            contact=contact.strip(),
            new_raters=bool(new_raters),
        )

    typed = {"deadline": deadline, "items_per_rater": items_per_rater, "hold_hours": hold_hours, "contact": contact}
    return page.done(work, to="?saved=1#settings", **typed, new_raters=new_raters)


@ROUTER.post("/entry", **gate("researcher", "study's questions changed"))
def entry(page: OnPageDep, stamp: Opened, consent: Long = "", before: Long = "", after: Long = "") -> Response:
    """Change a study's consent text, and the questions before and after its items."""

    def work() -> None:
        asked = {"consent": consent.strip(), "before": questions_of(before), "after": questions_of(after)}
        page.repository.studies.settle(page.study.id, stamp, **asked)

    return page.done(work, to="?saved=1#settings", consent=consent, before=before, after=after)


@ROUTER.post("/gold-every", **gate("researcher", "study's quality settings changed"))
def gold_every(page: OnPageDep, stamp: Opened, often: Text = "") -> Response:
    """Change how often raters get gold items."""

    def work() -> None:
        every = _number("The number of items between gold items", often)
        page.repository.studies.settle(page.study.id, stamp, gold_every=every)

    return page.done(work, to="/gold")


@ROUTER.post("/gold", **gate("researcher", "gold approved"))
async def approve(page: OnPageDep) -> Response:
    """Use the ticked proposals as gold items."""
    form = await page.request.form()
    try:
        chosen = [_proposal(str(value)) for value in form.getlist("item")]
        if not chosen:
            raise BadSetting("Select at least one item.")
        gold_items.approve(page.workplace, page.study, chosen, page.page.visitor.name)
    except UserError as error:
        return gold_page(page.page, page.study, problem=str(error), status=400)
    note(page.request, f"study {page.study.name}: {len(chosen)} gold")
    return page.page.lead(f"/studies/{page.study.id}/gold")


@ROUTER.post("/gold/{item}/retire", **gate("researcher", "gold retired"))
def retire(page: OnPageDep, item: Id) -> Response:
    """Give a gold item to no more raters."""
    return page.done(lambda: page.repository.gold.retire(page.study.id, item), f"item {item}", "/gold")


@ROUTER.post("/copy", **gate("researcher", "study duplicated"))
def copy(page: OnPageDep, name: Text = "") -> Response:
    """Copy a study as a draft."""
    studies, study = page.repository.studies, page.study.id
    return page.done(lambda: f"/studies/{studies.duplicate(study, name.strip())}", name, to=None)


@ROUTER.post("/delete", **gate("researcher", "study deleted"))
def delete(page: OnPageDep, name: Text = "") -> Response:
    """Delete a study."""

    def work() -> str:
        page.repository.managing.delete_study(page.study.id, name)
        return "/studies"

    return page.done(work, to=None)


@ROUTER.post("/raters/{code}/exclude", **gate("researcher", "rater excluded"))
def exclude(page: OnPageDep, code: str, reason: Text = "") -> Response:
    """Exclude a rater's ratings from the results."""
    return _of_rater(page, code, lambda: page.repository.managing.exclude(page.study.id, code, reason), f": {reason}")


@ROUTER.post("/raters/{code}/include", **gate("researcher", "rater included again"))
def include(page: OnPageDep, code: str) -> Response:
    """Include a rater's ratings in the results again."""
    return _of_rater(page, code, lambda: page.repository.managing.include(page.study.id, code))


@ROUTER.post("/raters/{code}/release", **gate("researcher", "items released"))
def release_one(page: OnPageDep, code: str) -> Response:
    """Release a rater's open items, so that other raters get them."""
    return _of_rater(page, code, lambda: page.repository.managing.release(page.study.id, code))


@ROUTER.post("/raters/{code}/key", **gate("researcher", "return key requested"))
def return_key(page: OnPageDep, code: str, secret: SecretDep) -> Response:
    """Show the key with which a rater can continue in another browser."""
    page.repository.managing.check_takes_part(page.study.id, code)
    note(page.request, f"rater {code}")
    key = secret.return_key(page.repository.raters.named(code).id)
    return rater_page(page.page, page.study.id, code, return_key=key)


@ROUTER.post("/raters/{code}/erase", **gate("admin", "rater erased"))
def erase(page: OnPageDep, code: str, typed: Text = "", ratings: Text = "keep") -> Response:
    """Erase a rater's data in every study."""
    page.repository.managing.check_takes_part(page.study.id, code)
    try:
        number = erase_rater(page.workplace, code, typed, ratings != "delete")
    except UserError as error:
        return rater_page(page.page, page.study.id, code, str(error), status=400)
    note(page.request, f"rater number {number}, ratings {'gone' if ratings == 'delete' else 'kept'}")
    return page.page.lead(f"/studies/{page.study.id}")


def _of_rater(page: OnPage, code: str, work: Callable[[], object], about: str = "") -> Response:
    page.repository.managing.check_takes_part(page.study.id, code)
    note(page.request, f"study {page.study.name}: {code}{about}")
    try:
        work()
    except CapscopeError as error:
        return rater_page(page.page, page.study.id, code, str(error), status=400)
    return page.page.lead(f"/studies/{page.study.id}/raters/{code}")


def _end(form: Mapping[str, str], ending: Ending) -> End:
    return End(form.get(f"{ending}_code", ""), form.get(f"{ending}_address", ""))


def _proposal(text: str) -> Proposal:
    making, _, rest = text.partition(":")
    sample, _, scores = rest.partition(":")
    for known in MAKINGS:
        if making == known and sample.isdecimal() and all(score.isdecimal() for score in scores.split(",")):
            return Proposal(known, int(sample), tuple(map(int, scores.split(","))))
    raise BadSetting("A proposed item is malformed. Ask for new proposals.")


def _number(what: str, text: str, most: int = 2**31 - 1) -> int | None:
    if not text.strip():
        return None
    if not text.strip().isdecimal() or not 1 <= int(text) <= most:
        raise BadSetting(f"{what} must be a whole number from 1 to {most:,}, found {text[:40]!r}.")
    return int(text)


def _hours(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadSetting(f"The hours of inactivity must be a number, found {text[:40]!r}.") from None


def _deadline(text: str, old: datetime | None) -> datetime | None:
    """Return a deadline in UTC. The form shows only minutes, so an unchanged deadline keeps its seconds."""
    if not text.strip():
        return None
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        raise BadSetting(f"The deadline must be a time such as 2026-12-31T18:00, found {text[:40]!r}.") from None
    time = time if time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None)
    return old if old is not None and old.replace(second=0, microsecond=0) == time else time
