"""Published data sets that the command `get` downloads from their authors' repositories.

PUBLISHED lists the data sets in display order. Each file is identified by its commit and its Git id, so it cannot
change. Capscope does not redistribute any of these files. To add a data set, add one entry here.
"""

import difflib
from dataclasses import dataclass
from pathlib import PurePosixPath

from core.errors import NotFound
from core.installation import COMMAND
from core.network.content import Content

GITHUB = "https://raw.githubusercontent.com"


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file in an author's repository, with its checksums."""

    path: str  # path in the repository
    content: Content

    @property
    def name(self) -> str:
        """Return the file's name without folders.

        For some formats, the import takes the names of data sets, categories and metrics from this name.
        """
        return PurePosixPath(self.path).name


@dataclass(frozen=True, slots=True)
class PublishedData:
    """Published files that are imported together as one data set."""

    name: str  # name on the command line and name of the data set
    summary: str
    repository: str  # on GitHub
    commit: str
    format: str  # a name in FORMATS
    files: tuple[PublishedFile, ...]
    licence: str  # name of the licence; "none stated" if the repository does not state a licence
    citation: str
    pictures: str  # text that says where the pictures are
    beside: tuple[PublishedFile, ...] = ()  # additional files that are read from the same folder as `files`
    scores: tuple[PublishedFile, ...] = ()  # FLEUR's published scores of the same captions
    group: str | None = None  # a common name for several data sets that are fetched together

    @property
    def all_files(self) -> tuple[PublishedFile, ...]:
        """Return all files to download."""
        return (*self.files, *self.beside, *self.scores)

    @property
    def size(self) -> int | None:
        """Return the size of all files together in bytes; None if the size of a file is unknown."""
        sizes = [file.content.size for file in self.all_files]
        return None if None in sizes else sum(size for size in sizes if size)

    def address(self, file: PublishedFile, mirror: str | None = None) -> str:
        """Return the web address of a file, at GitHub or at a mirror that has the same paths."""
        return f"{mirror or GITHUB}/{self.repository}/{self.commit}/{file.path}"


def _file(path: str, blob: str, sha256: str | None = None, size: int | None = None) -> PublishedFile:
    return PublishedFile(path, Content(blob, sha256, size))


_FLEUR = ("Yebin46/FLEUR", "b9cd6c9c086113b9ad3d040522a85c776aff1225")
_EXPERT = ("hjkim811/EXPERT", "74bbef41209fce20551f2d707bc7642400d7eddf")
_THUMB = ("jungokasai/THumB", "fd099b4f311d9c4fd24e6c58ef0df038ec1615f3")

_NOT_STATED = "none stated"
_CLEAR_BSD = "Clear BSD, as the repository's exp_datasets/LICENSE says"

_HODOSH = (
    "Hodosh, Young and Hockenmaier (2013). Framing Image Description as a Ranking Task: Data, Models and Evaluation "
    "Metrics. Journal of Artificial Intelligence Research 47, 853–899."
)
_FLEUR_PAPER = (
    "Lee, Park and Kang (2024). FLEUR: An Explainable Reference-Free Evaluation Metric for Image Captioning Using a "
    "Large Multimodal Model. ACL."
)
_EXPERT_PAPER = (
    "Kim et al. (2025). EXPERT: An Explainable Image Captioning Evaluation Metric with Structured Explanations. "
    "Findings of ACL."
)
_POLOS_PAPER = "Wada et al. (2024). Polos: Multimodal Metric Learning from Human Feedback for Image Captioning. CVPR."
_DENEB_PAPER = (
    "Matsuda, Wada and Sugiura (2024). DENEB: A Hallucination-Robust Automatic Evaluation Metric for Image "
    "Captioning. ACCV."
)

_OF_FLICKR8K = (
    "Flickr8k's authors provide the photographs on request: https://forms.illinois.edu/sec/1713398. Capscope cannot "
    "download them"
)
_OF_VOC = "Download the photographs of VOC2012 yourself from http://host.robots.ox.ac.uk/pascal/VOC/voc2012/"
_OF_POLARIS = "Download the pictures yourself; https://github.com/keio-smilab24/Polos describes where to find them"
_OF_NEBULA = "Download the pictures yourself; https://github.com/Ka2ukiMatsuda/DENEB describes where to find them"
_OF_COCO = f"Fetch COCO's pictures with: {COMMAND} get coco-pictures --dataset"

PUBLISHED: tuple[PublishedData, ...] = (
    PublishedData(
        "flickr8k-expert",
        "Flickr8k-Expert: 5,664 captions of 1,000 images with three experts' ratings, and FLEUR's scores",
        *_FLEUR,
        format="flickr8k-expert",
        files=(
            _file(
                "annotations/flickr8k.json",
                "8308fa1a301992f8c1f7f512b50fea4e3e3d5485",
                "835162c77b014cd2191bea942189272af1a54628e0b6c4693f08a2a8d2691fff",
                3_582_523,
            ),
        ),
        scores=(
            _file(
                "results/fleur_flickr8k_expert.txt",
                "6effb774c8753ca23324843e340b0267c63cc566",
                "841cf2aa636cbacd2d78ace9a02f812d786e4ff60aedea39648ca8fbedff8662",
                958_363,
            ),
        ),
        licence=f"{_NOT_STATED}; Flickr8k's captions and ratings are for academic use",
        citation=f"{_HODOSH} Scores: {_FLEUR_PAPER}",
        pictures=_OF_FLICKR8K,
    ),
    PublishedData(
        "flickr8k-cf",
        "Flickr8k-CF: captions, the share of people who say that a caption describes its image, and FLEUR's scores",
        *_FLEUR,
        format="flickr8k-cf",
        files=(_file("annotations/crowdflower_flickr8k.json", "418620d6c9b6d7fda903556da4359b97ca508cba"),),
        scores=(_file("results/fleur_flickr8k_crowdflower.txt", "58f6b7955a5a97ce4966e1055d5fe47a27ff0fb1"),),
        licence=f"{_NOT_STATED}; Flickr8k's captions and ratings are for academic use",
        citation=f"{_HODOSH} Scores: {_FLEUR_PAPER}",
        pictures=_OF_FLICKR8K,
    ),
    PublishedData(
        "composite",
        "Composite: captions of Flickr8k, Flickr30k and COCO images with judgements from 1 to 5, and FLEUR's scores",
        *_FLEUR,
        format="composite",
        files=(_file("annotations/composite.json", "7e2807562168bf83fe4a744b3426e51aefad9f43"),),
        scores=(
            _file(
                "results/fleur_composite.txt",
                "1eaca49faa586416be5271c139dc8818dbd929f6",
                "e876d84113a4af0a859e41bf0323106fdcec81c7ff2f2cb05cbf9e35ce4efb1e",
                2_009_402,
            ),
        ),
        licence=_NOT_STATED,
        citation="Aditya et al. (2015). From Images to Sentences through Scene Description Graphs using Commonsense "
        f"Reasoning and Knowledge. arXiv:1511.03292. Scores: {_FLEUR_PAPER}",
        pictures=f"{_OF_COCO} composite. {_OF_FLICKR8K}, also Flickr30k's",
    ),
    PublishedData(
        "pascal50s",
        "Pascal-50S: 4,000 pairs of captions, which caption of each pair people prefer, and FLEUR's scores",
        *_FLEUR,
        format="pascal50s",
        files=(
            _file(
                "annotations/pascal_50s.json",
                "fbb85dde4de03c84652d0f897987716dadf86acf",
                "f6033bbcf74583a22d289cf080fff5b930c04cf6d29e33e0170552e8e0237da9",
                1_754_543,
            ),
        ),
        scores=(
            _file(
                "results/fleur_pascal_HC.txt",
                "c27269cc10d30fc3b94cc97633ff3b5f98ecc816",
                "c32a4570944e24ea5940ce0dea174bad208a7a8ea7c3ab01179d1c5c8917528d",
                270_570,
            ),
            _file(
                "results/fleur_pascal_HI.txt",
                "1e373552111ceaacf124a1d5c81539ea2fda0f06",
                "8b9fab1a7c68533f4f1c1f833ac34e30cd2c2f0c6eac9d2b8f224dfd140686fd",
                275_242,
            ),
            _file(
                "results/fleur_pascal_HM.txt",
                "4b1d992801c2401fb3fa08ad11d92c464ebf201a",
                "452ee589d94fd1ed71c8fa5d3e92f69a8ea1a57f5d75ff135307e1064b764d34",
                283_549,
            ),
            _file(
                "results/fleur_pascal_MM.txt",
                "f99ab35d2fcd2bd3128439283e1b47723d2eab6d",
                "1c0222478d3431bd996647aafcc734a0a514e80f7a08a4a04af2f0e408ca5294",
                282_068,
            ),
        ),
        licence=_NOT_STATED,
        citation="Vedantam, Zitnick and Parikh (2015). CIDEr: Consensus-based Image Description Evaluation. CVPR. "
        f"Scores: {_FLEUR_PAPER}",
        pictures=_OF_VOC,
    ),
    PublishedData(
        "foil",
        "FOIL: captions of COCO images, each with a copy that has one wrong word, and FLEUR's scores",
        *_FLEUR,
        format="foil",
        files=(_file("annotations/foil.json", "5a0bbcbc650a860a0d52dfd289d195373467d64d"),),
        scores=(_file("results/fleur_foil.txt", "35a0592ebd3b18bb8a3e3b118a2e15686ae1d1c8"),),
        licence=_NOT_STATED,
        citation="Shekhar et al. (2017). FOIL it! Find One mismatch between Image and Language caption. ACL. "
        f"Scores: {_FLEUR_PAPER}",
        pictures=f"{_OF_COCO} foil",
    ),
    PublishedData(
        "polaris-exp-val",
        "Polaris-exp, validation: 4,237 captions with mean human scores and their explanations",
        *_EXPERT,
        format="polaris-exp",
        files=(
            _file(
                "exp_datasets/polaris_exp_val.json",
                "37b94b6c2478e35fbf95ddf263cebe6b16041944",
                "fef800bd40634682963fd8ef339e5f4197ea1ea43ef9e29f79f07d97e9a63983",
                3_924_119,
            ),
        ),
        licence=_CLEAR_BSD,
        citation=f"{_EXPERT_PAPER} {_POLOS_PAPER}",
        pictures=_OF_POLARIS,
        group="polaris-exp",
    ),
    PublishedData(
        "polaris-exp-train",
        "Polaris-exp, training: captions with mean human scores and their explanations",
        *_EXPERT,
        format="polaris-exp",
        files=(_file("exp_datasets/polaris_exp_train.json", "1c32592723b5f8933f0ca3463cb6d2442e11f9f1"),),
        licence=_CLEAR_BSD,
        citation=f"{_EXPERT_PAPER} {_POLOS_PAPER}",
        pictures=_OF_POLARIS,
        group="polaris-exp",
    ),
    PublishedData(
        "nebula-exp-val",
        "Nebula-exp, validation: 2,901 captions with mean human scores and their explanations",
        *_EXPERT,
        format="nebula-exp",
        files=(
            _file(
                "exp_datasets/nebula_exp_val.json",
                "ea2587414a0c70a07e7204fc752a41e9d5efa882",
                "e5930a4416fea0362bf3be9f915a84b294dd2e16e7022e9526942c03dc57cf0f",
                2_612_150,
            ),
        ),
        licence=_CLEAR_BSD,
        citation=f"{_EXPERT_PAPER} {_DENEB_PAPER}",
        pictures=_OF_NEBULA,
        group="nebula-exp",
    ),
    PublishedData(
        "nebula-exp-train",
        "Nebula-exp, training: captions with mean human scores and their explanations",
        *_EXPERT,
        format="nebula-exp",
        files=(_file("exp_datasets/nebula_exp_train.json", "284a17dac748b520abf276d30b3ecb41605393cb"),),
        licence=_CLEAR_BSD,
        citation=f"{_EXPERT_PAPER} {_DENEB_PAPER}",
        pictures=_OF_NEBULA,
        group="nebula-exp",
    ),
    PublishedData(
        "nebula",
        "Nebula, test: 3,298 captions with references and human scores",
        *_EXPERT,
        format="nebula",
        files=(
            _file(
                "annotations/nebula_test.json",
                "6f52742f0153e704a24d6a82f545c7931f31a12f",
                "ac70204016a35ccc3a81603a7c1c9c836152ab8d7d3fea6a33e84eafe937df39",
                1_845_909,
            ),
        ),
        licence="CC BY-SA 4.0",
        citation=_DENEB_PAPER,
        pictures=_OF_NEBULA,
    ),
    PublishedData(
        "polaris",
        "Polaris, test: captions with references and human scores",
        *_EXPERT,
        format="polaris",
        files=(_file("annotations/polaris_test.json", "db618904f2f528a6174d367054257b9392c35657"),),
        licence="Clear BSD, as the licence of Polos says",
        citation=_POLOS_PAPER,
        pictures=_OF_POLARIS,
    ),
    PublishedData(
        "thumb",
        "THumB 1.0: 2,500 captions of 500 COCO images with references and human ratings: precision, recall, deductions",
        *_THUMB,
        format="thumb",
        files=(
            _file(
                "mscoco/mscoco_THumB-1.0.jsonl",
                "da0321aa89a7a593eadd4f44eefe5536e402c465",
                "463ebf947c793a541922ead33eb10a885e77c19e9c7d27cf89e034bfff643efa",
                585_297,
            ),
        ),
        beside=(
            _file(
                "mscoco/mscoco_references.json",
                "894aaba786a80cf32d7373bd25ecbaba7b420e23",
                "897672f1f53ed33a376237c33fabc89ebbd04b40e9ced82691c2e9c9324d8fdf",
                136_692,
            ),
        ),
        licence=_NOT_STATED,
        citation="Kasai et al. (2022). Transparent Human Evaluation for Image Captioning. NAACL.",
        pictures=f"{_OF_COCO} thumb",
    ),
)


def published_named(name: str) -> tuple[PublishedData, ...]:
    """Return the published data sets for a name.

    name: the name of a data set, the name of a group of data sets, or "all". Raises NotFound with a list of all names.
    """
    if name == "all":
        return PUBLISHED
    datasets = tuple(one for one in PUBLISHED if name in (one.name, one.group))
    if datasets:
        return datasets
    names = list(dict.fromkeys(filter(None, (part for one in PUBLISHED for part in (one.group, one.name)))))
    close = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise NotFound(f"There is no published data set {name!r}.{hint} Available data sets: {', '.join(names)}.")
