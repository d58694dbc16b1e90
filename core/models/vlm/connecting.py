"""Connect to the servers of an endpoint; several servers share the work."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from core.errors import BadSetting, ModelUnavailable
from core.models import Endpoint, ModelSettings
from core.models.vlm import handshake
from core.models.vlm.endpoint import EndpointVlm
from core.models.vlm.model_server import ModelServer
from core.models.vlm.shared_servers import SharedServers

_log = logging.getLogger("capscope")


def connect(endpoint: Endpoint, settings: ModelSettings, tuned: bool, integers: bool = False) -> EndpointVlm:
    """Return a model on one server, or on several servers that share the work.

    For tuned and integers, see core.models.vlm.handshake.connect. Servers that do not answer are skipped, and the log
    names them. Raises ModelUnavailable if no server answers, BadSetting if the servers would give different scores.
    """
    if len(endpoint.urls) == 1:
        return handshake.connect(endpoint, settings, tuned, integers)
    connected, away = list[EndpointVlm](), list[str]()
    for url in endpoint.urls:
        try:
            connected.append(handshake.connect(replace(endpoint, url=url, others=()), settings, tuned, integers))
        except ModelUnavailable as error:
            away.append(str(error))
    if not connected:
        raise ModelUnavailable(f"No server can be used. {' '.join(away)}")
    for problem in away:
        _log.warning("This run does not use a server: %s", problem)
    check_equal(connected)
    first = connected[0]
    servers = [one.server for one in connected if isinstance(one.server, ModelServer)]
    shared = SharedServers(servers, endpoint.parallel, servers[0].patience)
    return EndpointVlm(shared, first.dialect, first.facts, first.identity, first.signed_as_before().facts)


def check_equal(connected: Sequence[EndpointVlm]) -> None:
    """Raise BadSetting if servers differ in a way that changes scores.

    The servers must have the same description of the model in the signature, and the same format of requests.
    """
    first, differences = connected[0], list[str]()
    for other in connected[1:]:
        facts = [name for name in first.facts if first.facts[name] != other.facts.get(name)]
        here, there = first.server.url, other.server.url
        differences += [
            f"{name} is {first.facts[name]} at {here} and {other.facts.get(name)} at {there}" for name in facts
        ]
        if not facts and first.dialect != other.dialect:
            differences.append(f"{here} and {there} need different requests, for example different names of the model")
    if differences:
        raise BadSetting(
            f"The servers would give different scores, so one run cannot use them together: {'; '.join(differences)}."
        )
