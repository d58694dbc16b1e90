"""Find which models gave the answers in batch files.

A score has the signature of the model that answered. Answers from several models are reported.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from core.errors import BadData
from core.models import OnChange
from core.models.vlm.batch_answers import Answers
from core.models.vlm.identity import ANY, Identity, public_name
from core.signature import changed
from core.types import EvaluationError, Outcome


def signed(outcome: Outcome, model: str, answered_by: Collection[Identity], on_change: OnChange) -> Outcome:
    """Return an outcome with the signature of the model that answered.

    model: the name of the requested model. answered_by: the models that gave the answers about one caption. If there
    are several, the result is an error.
    """
    signatures = {_signature(outcome.signature, model, one, on_change) for one in answered_by}
    if len(signatures) > 1:
        problem = f"The answers are from several models: {'; '.join(sorted(map(str, answered_by)))}."
        return EvaluationError(outcome.metric, outcome.signature, "refused", problem)
    return replace(outcome, signature=signatures.pop()) if signatures else outcome


def _signature(signature: str, model: str, answered_by: Identity, on_change: OnChange) -> str:
    served = None if answered_by.model == public_name(model).name else answered_by.model
    fingerprint = ANY if answered_by.fingerprint and on_change == "ignore" else answered_by.fingerprint
    return changed(signature, served=served, fingerprint=fingerprint)


def of_any_model(signature: str, model: str, stored: Sequence[str]) -> tuple[str, ...]:
    """Return the stored signatures that equal `signature` except for the answering model.

    model: the name of the requested model. Signatures from version 0.2.0 are also recognised. They contain this name
    together with the model's folder.
    """
    ours = {signature, changed(signature, model=model, revision=None)}
    return tuple(one for one in stored if changed(one, served=None, fingerprint=None) in ours)


def check_models(signature: str, model: str, answers: Answers, stored: Sequence[str], on_change: OnChange) -> None:
    """Raise BadData if the answers come from several models.

    Answers that were stored earlier are included in this check. stored: the signatures that of_any_model returns. If
    on_change is "new-signature", nothing is checked.
    """
    signatures = {_signature(signature, model, one, on_change) for one in answers.models}
    with_model = {one for one in stored if changed(one, served=None, fingerprint=None) != one}
    if (
        on_change == "new-signature"
        or not signatures
        or len(signatures | with_model) == 1
        or (len(signatures) == 1 and not with_model)
    ):
        return
    came = [f"{one} ({count:,} answers)" for one, count in answers.models.most_common(5)]
    before = [f"stored before with the signature {one}" for one in sorted(with_model - signatures)]
    raise BadData(
        f"The answers are from several models: {'; '.join([*came, *before])}. Nothing was stored. Use --on-change "
        "new-signature to give each model its own signature. If only system_fingerprint changes, use --on-change "
        "ignore: then all answers get the signature fingerprint:any."
    )
