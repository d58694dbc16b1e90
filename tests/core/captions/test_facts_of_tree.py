"""Facts from trees drawn by hand: one line a word, "word tag relation head [lemma]", head counted from 0."""

import pytest

from core.captions.caption_pieces import readings
from core.captions.facts import write_facts
from core.captions.facts_of_tree import mentions
from core.captions.tree import Token, Tree, tree

TABLE = readings([])
COMPOUNDS = {("tree", "branch"): "have", ("bathroom", "sink"): "in"}


def drawn(text: str) -> Tree:
    tokens, start = [], 0
    for line in text.strip().splitlines():
        word, tag, role, head, *lemma = line.split()
        said = word.replace("_", " ")
        reading = TABLE.get(tuple(said.split()))
        kind, said = (reading.kind, reading.wording) if reading else ("word", said)
        tokens.append(Token(said, lemma[0] if lemma else said, tag, int(head), role, start, start + len(word), kind))
        start += len(word) + 1
    return tree(tokens)


def facts(text: str) -> str:
    return write_facts(mention.fact for mention in mentions(drawn(text), COMPOUNDS))


CASES = {
    "a verb keeps its preposition and loses its ending": (
        "bike NN ROOT 0\nresting VBG acl 0 rest\nagainst IN case 3\nbox NN obl 1",
        "( bike , rest against , box )",
    ),
    "of is have, the whole first": ("leg NN ROOT 0\nof IN case 3\nthe DT det 3\nman NN nmod 0", "( man , have , leg )"),
    "whose it is comes first": (
        "man NN nmod:poss 2\n's POS case 0\nhat NN ROOT 2",
        "( man , have , hat )",
    ),
    "two things of one name relate": ("dog NN ROOT 0\nnear IN case 2\ndog NN nmod 0", "( dog , near , dog )"),
    "articles are dropped and adjectives describe": (
        "a DT det 2\nlarge JJ amod 2\ndog NN ROOT 2\non IN case 4\ngrass NN nmod 2",
        "( dog , is , large ) , ( dog , on , grass )",
    ),
    "joined adjectives describe one by one": (
        "black JJ amod 3\nand CC cc 2\nwhite JJ conj 0\ncat NN ROOT 3",
        "( cat , is , black ) , ( cat , is , white )",
    ),
    "a shade belongs to its colour": (
        "light JJ amod 2\nblue JJ amod 2\nsky NN ROOT 2",
        "( sky , is , light blue )",
    ),
    "numbers are digits and one is not said": (
        "two CD nummod 1\npigs NNS nsubj 2\neat VBP ROOT 2 eat\none CD nummod 4\napple NN obj 2",
        "( pigs , is , 2 ) , ( pigs , eat , apple )",
    ),
    "a passive is turned the active way round": (
        "horse NN nsubj:pass 1\nridden VBN ROOT 1 ride\nby IN case 3\nman NN obl:agent 1",
        "( man , ride , horse )",
    ),
    "what stands by something is no passive": (
        "car NN ROOT 0\nparked VBN acl 0 park\nby IN case 3\nhouse NN obl 1",
        "( car , park by , house )",
    ),
    "what covers comes first": (
        "hill NN ROOT 0\ncovered VBN acl 0 cover\nin IN case 3\nsnow NN obl 1",
        "( snow , cover , hill )",
    ),
    "there is says where": (
        "there EX expl 1\nare VBP ROOT 1 be\npeople NNS nsubj 1\non IN case 5\nthe DT det 5\nbeach NN obl 1",
        "( people , on , beach )",
    ),
    "a copula with a place relates": (
        "cat NN nsubj 4\nis VBZ cop 4 be\non IN case 4\nthe DT det 4\nsofa NN ROOT 4",
        "( cat , on , sofa )",
    ),
    "a copula with an adjective describes": (
        "wall NN nsubj 2\nis VBZ cop 2 be\nwhite JJ ROOT 2",
        "( wall , is , white )",
    ),
    "all joined subjects and objects take part": (
        "man NN nsubj 3\nand CC cc 2\nwoman NN conj 0\nholding VBG ROOT 3 hold\n"
        "bat NN obj 3\nand CC cc 6\nball NN conj 4",
        "( man , hold , bat ) , ( man , hold , ball ) , ( woman , hold , bat ) , ( woman , hold , ball )",
    ),
    "two things joined and nothing else are next to each other": (
        "man NN ROOT 0\nand CC cc 2\nelephant NN conj 0",
        "( man , next to , elephant )",
    ),
    "a preposition of several words is one": (
        "man NN ROOT 0\nin_front_of IN case 2\nbus NN nmod 0",
        "( man , in front of , bus )",
    ),
    "a group is said of its members": (
        "a DT det 2\ngroup_of DT det 2\npeople NNS ROOT 2",
        "( people , is , group of )",
    ),
    "a bunch is not said": ("a DT det 2\nbunch_of DT det 2\nbananas NNS ROOT 2", "( bananas )"),
    "clothes after in are worn": (
        "man NN ROOT 0\nin IN case 3\nblack JJ amod 3\nshirt NN nmod 0",
        "( man , wear , shirt ) , ( shirt , is , black )",
    ),
    "with something on it says only what is on it": (
        "table NN ROOT 0\nwith IN case 2\nfood NN nmod 0\non IN case 4\nit PRP nmod 2",
        "( food , on , table )",
    ),
    "the noun above a relative clause is its object": (
        "hat NN ROOT 0\nthat WDT obj 3\nman NN nsubj 3\nwears VBZ acl:relcl 0 wear",
        "( man , wear , hat )",
    ),
    "a preposition at the end reaches back to the noun above": (
        "bench NN ROOT 0\ncat NN nsubj 2\nsits VBZ acl:relcl 0 sit\non IN obl 2",
        "( cat , sit on , bench )",
    ),
    "a relative pronoun passes on the noun above": (
        "man NN ROOT 0\nwho WP nsubj 3\nis VBZ aux 3 be\nriding VBG acl:relcl 0 ride\nhorse NN obj 3",
        "( man , ride , horse )",
    ),
    "a verb alone describes": ("birds NNS nsubj 1\nfly VBP ROOT 1 fly", "( birds , is , flying )"),
    "a later verb keeps the subject": (
        "man NN nsubj 1\nabout RB ROOT 1\nto TO mark 3\nswing VB advcl 1 swing\nbat NN obj 3",
        "( man , swing , bat )",
    ),
    "a part before a known compound's head is had": (
        "tree NN compound 1\nbranch NN ROOT 1",
        "( tree , have , branch )",
    ),
    "a room before a known compound's head holds it": (
        "bathroom NN compound 1\nsink NN ROOT 1",
        "( sink , in , bathroom )",
    ),
    "another noun before a noun describes it": ("brick NN compound 1\nwall NN ROOT 1", "( wall , is , brick )"),
    "his hand belongs to the subject": (
        "boy NN nsubj 1\nraising VBG ROOT 1 raise\nhis PRP$ nmod:poss 3\nhand NN obj 1",
        "( boy , raise , hand ) , ( boy , have , hand )",
    ),
    "where the viewer sees it describes": (
        "man NN ROOT 0\non IN case 3\nthe DT det 3\nleft NN nmod 0",
        "( man , is , on the left )",
    ),
    "a thing of which nothing is said stands alone": (
        "this DT nsubj 3\nis VBZ cop 3 be\nthe DT det 3\ntail NN ROOT 3",
        "( tail )",
    ),
    "wine is in its glass": ("glass NN ROOT 0\nof IN case 2\nwine NN nmod 0", "( wine , in , glass )"),
    "a forgotten apostrophe still owns": (
        "mans NNS compound 1\nhat NN ROOT 1",
        "( man , have , hat )",
    ),
    "shorts do not walk, their wearer does": (
        "man NN ROOT 0\nwearing VBG acl 0 wear\nshorts NNS obj 1\nwalking VBG acl 2 walk\ndog NN obj 3",
        "( man , wear , shorts ) , ( man , walk , dog )",
    ),
    "a sign may hang where people cannot": (
        "wall NN ROOT 0\nwith IN case 2\nsign NN nmod 0\nhanging VBG acl 2 hang\non IN case 5\nnail NN obl 3",
        "( wall , with , sign ) , ( sign , hang on , nail )",
    ),
    "what a thing has on it is on the thing": (
        "stove NN nsubj 1\nhas VBZ ROOT 1 have\nfood NN obj 1\non IN case 4\nit PRP obl 1",
        "( food , on , stove )",
    ),
    "words that name nothing state nothing": ("very RB advmod 1\nnice JJ ROOT 1", ""),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_trees_are_read_by_the_conventions(text: str, expected: str) -> None:
    assert facts(text) == expected


def test_a_mention_spans_from_subject_to_object() -> None:
    parsed = drawn("a DT det 1\nman NN ROOT 1\nin_front_of IN case 4\nthe DT det 4\nbus NN nmod 1\nhere RB advmod 1")
    (mention,) = mentions(parsed, COMPOUNDS)
    start, end = parsed.span(mention.words)
    assert "a man in_front_of the bus here"[start:end] == "man in_front_of the bus"
