"""Words with which explanations talk about a caption and its picture."""

from core.captions.factual_conventions import PICTURES


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


TEXTS = _set(
    "caption captions description descriptions candidate candidates reference references text sentence statement "
    "explanation set sets wording it"
)
SHOWN = PICTURES | _set("pictures images photos visual visuals")
ABOUT = _set(  # nouns whose absence denies the thing after them: "no sign of a dog", "no information on the dog"
    "mention information detail details description descriptions reference context sign evidence trace indication "
    "presence depiction inclusion existence specifics number"
)
OF_THE_TEXT = _set("mention information detail details description descriptions reference context specifics")
LACKS = _set("lack absence omission shortage exclusion")
TALK = (  # nouns that name nothing in a picture
    TEXTS | SHOWN | ABOUT | LACKS
    | _set(
        "element elements content contents scenes setting settings subject subjects score scores aspect aspects key "
        "point points example fact facts foreground word words phrase phrases language structure way manner sense "
        "overall fluent clear clarity accuracy relevance fluency descriptiveness grammar meaning understanding "
        "focus essence action actions activity activities feature features addition instance case part parts likelihood"
    )
)  # fmt: skip

NO = _set("no neither nor zero")  # negations before a noun
NOT = _set("not n't never neither nor cannot")  # negations before a verb
PARTLY = _set(  # "not" before these words does not deny the thing itself: "does not fully describe the dog"
    "only just simply merely necessarily all every always entirely fully completely accurately precisely correctly "
    "clearly adequately properly exactly perfectly effectively quite directly sufficiently well truly really"
)
WITHOUT = _set("without minus sans excluding lacking omitting")
INSTEAD = ("instead of", "rather than", "opposed to", "in place of", "contrary to")

TELLING = _set(
    "mention describe include specify provide note acknowledge convey reflect state address say tell identify offer "
    "give add indicate highlight refer cover detail list name claim suggest capture account elaborate explain talk "
    "reference recognize recognise omit exclude call"
)
SHOWING = _set("show depict contain feature include present portray display see have reveal find capture observe hold")
THERE = SHOWING | TELLING | _set("appear exist evident visible present apparent there discernible noticeable shown")
MISSING = _set("lack miss omit exclude neglect ignore overlook skip forget disregard")
FAILING = _set("fail neglect forget refrain avoid omit")
ABSENT = _set("absent missing invisible unmentioned lacking")
DEVOID = _set("devoid void free bereft empty emptied clear cleared bare stripped vacant")  # before "of"
RIGHTLY = _set("accurately correctly rightly precisely")
MAY = _set("could should would might may can")
ARTICLES = _set("a an the any its his her their")
DEFINITE = _set("the this that these those his her its their")
IN_LISTS = _set(", or and nor any a an the as well such like of its his her their")
