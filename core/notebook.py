"""Score captions from Python without a database.

See docs/how-to. `import capscope` provides the function `metric` and loads no models. The models of a metric are loaded
when it scores its first caption. Scores are returned as a Result.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, cast

from core.captions.ngrams import corpus_of
from core.errors import BadData, BadImage
from core.images.pictures import read_image_facts
from core.metrics import Metric
from core.metrics.evaluator import Evaluator, metric_named
from core.metrics.plugins import as_metric, known_metrics
from core.models import Endpoint, ModelSettings
from core.types import EvaluationError, Explanation, ImageRef, Outcome, Sample, Score

if TYPE_CHECKING:
    import pandas
    from PIL.Image import Image

    Picture = str | Path | Image | None  # a file, an opened picture, or None for metrics that need no picture
    Texts = str | Sequence[str]

AT_A_TIME = 64  # number of pictures in memory that are saved to disk in one step


@dataclass(frozen=True, slots=True)
class Result:
    """A metric's outcomes (scores or errors) for captions, in the order of the captions."""

    metric: str
    signature: str  # the metric and all its settings as text (signature), the same for all scores
    images: tuple[str, ...]  # names of the pictures
    captions: tuple[str, ...]
    outcomes: tuple[Outcome, ...]  # scores and errors

    def __len__(self) -> int:
        """Return the number of captions."""
        return len(self.outcomes)

    @property
    def scores(self) -> list[float | None]:
        """The scores on the metric's scale; None for a caption with an error."""
        return [one.value if isinstance(one, Score) else None for one in self.outcomes]

    @property
    def mean(self) -> float | None:
        """The mean of all scores; None if no caption has a score.

        Captions with an error do not count. So look at `errors` before you publish the mean.
        """
        values = [one.value for one in self.outcomes if isinstance(one, Score)]
        return sum(values) / len(values) if values else None

    @property
    def explanations(self) -> list[Explanation | None]:
        """The explanation (words, phrases or regions) of each score; None for a caption without a score."""
        return [one.explanation if isinstance(one, Score) else None for one in self.outcomes]

    @property
    def errors(self) -> dict[int, EvaluationError]:
        """The errors of captions without a score, by the caption's index."""
        return {place: one for place, one in enumerate(self.outcomes) if isinstance(one, EvaluationError)}

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a table with one row per caption.

        Columns: image, caption, score, error, signature, then components and rationales by name.
        """
        import pandas

        rows = []
        for image, caption, outcome in zip(self.images, self.captions, self.outcomes, strict=True):
            row: dict[str, object] = {
                "image": image,
                "caption": caption,
                "score": None,
                "error": None,
                "signature": outcome.signature,
            }
            if isinstance(outcome, EvaluationError):
                row |= {"error": f"{outcome.kind}: {outcome.message}"}
            else:
                row |= {"score": outcome.value} | {f"component:{name}": v for name, v in outcome.components.items()}
                row |= {f"rationale:{name}": text for name, text in outcome.explanation.rationales.items()}
            rows.append(row)
        return pandas.DataFrame(rows)


class Scorer:
    """One metric, ready for use."""

    def __init__(self, kind: type[Metric], settings: ModelSettings) -> None:
        self._kind, self._settings, self._evaluator = kind, settings, Evaluator((kind,))

    @property
    def signature(self) -> str:
        """The signature: a text that names everything that can change the scores.

        Loads the models. Raises ModelUnavailable, BadSetting.
        """
        return self._evaluator.signature(self._kind.name, self._settings)

    def __call__(
        self,
        images: "Picture | Sequence[Picture]",
        captions: "Texts",
        references: "Texts | Sequence[Texts] | None" = None,
    ) -> Result:
        """Score one caption for each picture, or several captions of one picture.

        images: files, pictures in memory, a column of `datasets`, or None for metrics without pictures. references: one
        text or several for each caption. If a metric's scores depend on a corpus, these references are the corpus.

        Raises BadData if the numbers of pictures, captions and references differ. Also raises ModelUnavailable and
        BadSetting.
        """
        texts = (captions,) if isinstance(captions, str) else tuple(captions)
        each = [images] * len(texts) if isinstance(captions, str) or _is_one(images) else images
        shown = cast("Sequence[Picture]", each)
        reference_lists = _references(references, isinstance(captions, str), len(texts))
        if len(shown) != len(texts):
            raise BadData(f"Each caption needs a picture: found {len(shown)} pictures for {len(texts)} captions.")
        names, outcomes, settings = list[str](), list[Outcome](), self._settings
        if self._kind.needs_corpus:
            settings = replace(settings, corpus=corpus_of("these captions", ((one, 1) for one in reference_lists)))
        for samples in _samples(shown, texts, reference_lists):
            names += [sample.image.name for sample in samples]
            outcomes += self._evaluator.evaluate(self._kind.name, samples, settings)
        signature = self._evaluator.signature(self._kind.name, settings)
        return Result(self._kind.name, signature, tuple(names), texts, tuple(outcomes))


def metric(
    name: str | type[Metric],
    *,
    model: str | None = None,
    adapter: str | None = None,
    endpoint: str | Endpoint | None = None,
    device: str = "auto",
    batch_size: int = 8,
    explain: bool = False,
    **options: str,
) -> Scorer:
    """Return a metric, ready to score captions.

    name: a metric of Capscope or of an installed package, or a class of your own. endpoint: the address of a model
    server's API, ".../v1", or a core.models.Endpoint if the server needs a key. options: the metric's own options, as
    in `score --option`. Raises NotFound for an unknown name.
    """
    kind = metric_named(name, known_metrics()) if isinstance(name, str) else as_metric(name)
    server = Endpoint(endpoint.rstrip("/"), parallel=batch_size) if isinstance(endpoint, str) else endpoint
    settings = ModelSettings(
        model=model,
        adapter=adapter,
        endpoint=server,
        device=device,
        batch_size=batch_size,
        explain=explain,
        options=options,
    )
    return Scorer(kind, settings)


def _is_one(images: "Picture | Sequence[Picture]") -> bool:
    """Return whether the argument is one picture or None. Returns False for a list of pictures."""
    return images is None or isinstance(images, str | PurePath) or hasattr(images, "mode")


def _references(given: "Texts | Sequence[Texts] | None", single: bool, captions: int) -> "Sequence[tuple[str, ...]]":
    """Return the references of each caption as a tuple. single: the caller passed one caption instead of a list."""
    if given is None:
        return [()] * captions
    each: Sequence[Any] = [given] if single else given
    if isinstance(each, str) or len(each) != captions:
        raise BadData(f"references must be a list with {captions} entries, one entry for each caption.")
    return [(texts,) if isinstance(texts, str) else tuple(texts) for texts in each]


def _samples(
    images: "Sequence[Picture]", captions: Sequence[str], references: Sequence[tuple[str, ...]]
) -> Iterator[list[Sample]]:
    """Yield samples in batches.

    Pictures in memory are saved as files, which exist until the next batch is requested.
    """
    numbered = zip(count(1), images, captions, references)
    while some := list(islice(numbered, AT_A_TIME)):
        with tempfile.TemporaryDirectory(prefix="capscope-") as folder:
            yield [
                Sample(str(number), _image(picture, str(number), Path(folder)), caption, texts)
                for number, picture, caption, texts in some
            ]


def _image(picture: "Picture", number: str, folder: Path) -> ImageRef:
    """Return a picture. One in memory is saved in `folder` first."""
    if picture is None:
        return ImageRef("")
    if isinstance(picture, str | PurePath):
        name, path = PurePath(picture), Path(picture)
    elif hasattr(picture, "save") and hasattr(picture, "mode"):
        name, path = PurePath(PurePath(getattr(picture, "filename", "") or number).name), folder / f"{number}.png"
        _save(picture, path)
    else:
        raise BadData(f"A picture must be a file or an opened picture, found {picture!r:.80}.")
    shown = name.name if name.is_absolute() else name.as_posix()
    try:
        return ImageRef(shown, path, *read_image_facts(path))
    except BadImage:  # no error here: a metric that opens the file reports the bad picture
        return ImageRef(shown, path)


def _save(picture: "Image", path: Path) -> None:
    """Save a picture as PNG, rotated to the upright orientation."""
    from PIL import ImageOps

    upright = ImageOps.exif_transpose(picture)
    upright = upright.convert("RGB") if upright.mode in ("CMYK", "YCbCr", "LAB", "HSV", "F") else upright
    upright.save(path, exif=b"")
