"""Define who may use each route. The table lists every route, including Gradio's. Other routes are refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Who = Literal["nobody", "anyone", "rater", "viewer", "researcher", "admin"]


@dataclass(frozen=True, slots=True)
class Route:
    """A route of the table."""

    method: str
    path: str  # may contain placeholders, as in /api/studies/{study_id}
    deed: str = ""  # name of the action in the log; empty: the route changes and deletes nothing
    most: int | None = (
        None  # maximum bytes of a request; None: the limit of the audience, or the route declares its own
    )


def _get(*paths: str) -> tuple[Route, ...]:
    return tuple(Route("GET", path) for path in paths)


_CLOSED_TO_READ = (
    *("call/v2/{api_name}/{event_id}", "call/{api_name}/{event_id}", "deep_link", "dev/reload", "file/{path:path}"),
    *("custom_component/{id}/{environment}/{type}/{file_name}", "file={path_or_url:path}", "login_check"),
    *("openapi.json", "proxy={url_path:path}", "queue/status", "runs", "theme.css", "token", "user"),
    *("stream/{session_hash}/{run}/{component_id}/playlist-file", "upload_progress", "vibe-code"),
    *("stream/{session_hash}/{run}/{component_id}/playlist.m3u8",),
    *("stream/{session_hash}/{run}/{component_id}/{segment_id}.{ext}",),
)
_CLOSED_TO_WRITE = (
    *("api/{api_name}", "call/v2/{api_name}", "call/{api_name}", "component_server", "process_recording"),
    *("reset", "run/{api_name}", "stream/{event_id}", "stream/{event_id}/close", "undo-vibe-edit"),
    *("upload", "vibe-code", "vibe-edit", "vibe-starter-queries"),
)

TABLE: Mapping[Who, tuple[Route, ...]] = {
    # Routes for every client that can reach the server. They check permissions themselves.
    "anyone": (
        *_get("/sign-in", "/password/{token}", "/r/{token}"),
        *_get("/capscope/{version}/{name:path}", "/favicon.ico", "/robots.txt", "/healthz"),
        Route("POST", "/sign-in"),
        Route("POST", "/sign-out"),
        Route("POST", "/password/{token}"),
        Route("POST", "/r/{token}"),
        Route("POST", "/api/rate/session"),
        Route("POST", "/api/rate/arrival"),
        *_get("/api/rate/epoch"),
    ),
    # Routes for raters. They check the session and the session's study.
    "rater": (
        *_get("/api/rate/session", "/api/rate/studies", "/api/rate/studies/{study_id}/items"),
        *_get("/api/rate/items/{assignment}/image"),
        *_get("/api/rate/studies/{study_id}/visit", "/api/rate/studies/{study_id}/standing"),
        Route("POST", "/api/rate/studies/{study_id}/visit/consent"),
        Route("POST", "/api/rate/studies/{study_id}/visit/answers"),
        Route("POST", "/api/rate/studies/{study_id}/visit/leaving"),
        Route("POST", "/api/rate/saves", most=1_000_000),
        Route("POST", "/api/rate/kept", most=1_000_000),
        Route("DELETE", "/api/rate/session"),
    ),
    # Routes for accounts with read access.
    "viewer": (
        *_get("/", "/inspect", "/analyse", "/account", "/glossary"),
        Route("POST", "/account/sessions/{session_id}/end", "own session ended"),
        *_get("/config", "/theme.css", "/static/{path:path}", "/assets/{path:path}", "/plotly.min.js"),
        *_get("/svelte/{path:path}", "/manifest.json", "/pwa_icon", "/pwa_icon/{size}"),
        *_get("/gradio_api/heartbeat/{session_hash}", "/gradio_api/startup-events", "/gradio_api/app_id"),
        *_get("/gradio_api/info", "/gradio_api/queue/data"),  # list of the endpoints in ui/web/gradio_api.py; results
        Route(
            "POST", "/gradio_api/queue/join", most=20_000_000
        ),  # sending a picture needs the role researcher; the endpoint checks it
        Route("POST", "/gradio_api/cancel"),
        *_get("/api/datasets", "/api/samples", "/api/samples/{sample_id}", "/api/samples/{sample_id}/metrics"),
        Route("GET", "/api/samples.jsonl", "samples exported"),
        *_get("/api/filters", "/api/images/{image_id}", "/api/images/{image_id}/small"),
        Route("GET", "/api/images/{image_id}/screen"),
        Route("POST", "/api/judge"),  # saving the outcome needs the role researcher; the route checks it
        Route("POST", "/api/phrases"),
        Route("POST", "/api/samples/{sample_id}/sentences"),
        *_get("/api/analyse/datasets", "/api/analyse/metrics", "/api/analyse/parts", "/api/analyse/unscored"),
        *_get("/api/analyse/sections", "/api/analyse/section/{key}", "/api/analyse/slices"),
        *_get("/api/analyse/section/{key}/{place}.{kind}", "/api/analyse/samples/{sample_id}/ratings"),
        Route("GET", "/api/analyse/work/{key}"),
        Route("DELETE", "/api/analyse/work/{key}"),  # only the page that started the work knows the key
        Route("GET", "/api/analyse/data.csv", "plot's data exported"),
        Route("GET", "/api/analyse/report.html", "report exported"),
        *_get("/api/coding/codebooks", "/api/coding/coded", "/api/coding/coded/{place}.{kind}"),
        Route("GET", "/api/coding/coded-set.json", "codes exported"),
        *_get("/studies", "/studies/{study_id}", "/studies/{study_id}/progress", "/studies/{study_id}/raters/{code}"),
        Route("GET", "/api/studies/{study_id}/export{suffix}", "ratings exported"),
        Route("GET", "/api/studies/{study_id}/archive", "archive exported"),
        Route("GET", "/api/studies/{study_id}/report.html", "report exported"),
    ),
    # Routes for accounts that may change stored data.
    "researcher": (
        Route("POST", "/api/datasets", "data set made"),
        *_get("/rate"),  # page for rating without a link
        Route("GET", "/api/imports/{key}/refused.csv", "rows with errors exported"),
        Route("POST", "/api/imports"),  # only registers an import; only the start of an import is logged
        Route("PUT", "/api/imports/{key}/files"),
        Route("POST", "/api/own", "own picture added"),
        Route("POST", "/api/samples/{sample_id}/regions", "region drawn"),
        Route("DELETE", "/api/samples/{sample_id}/regions/{nth}", "region removed"),
        *_get("/studies/new", "/studies/import", "/studies/import/{key}", "/studies/import/{key}/run"),
        *_get("/studies/{study_id}/controls"),
        Route("POST", "/studies/new", "study made"),
        Route("POST", "/studies/new/preview"),
        Route("POST", "/studies/import/{key}", "import started"),
        Route("POST", "/studies/import/{key}/cancel", "import cancelled"),
        Route("POST", "/studies/{study_id}/state", "study's state changed"),
        Route("POST", "/studies/{study_id}/links", "study link made"),
        Route("POST", "/studies/{study_id}/panel-links", "study link made"),
        Route("POST", "/studies/{study_id}/links/{link_id}/close", "study link closed"),
        Route("POST", "/studies/{study_id}/settings", "study's settings changed"),
        Route("POST", "/studies/{study_id}/entry", "study's questions changed"),
        Route("POST", "/studies/{study_id}/gold-every", "study's quality settings changed"),
        Route("POST", "/studies/{study_id}/controls", "gold approved"),
        Route("POST", "/studies/{study_id}/controls/{item}/retire", "gold retired"),
        Route("POST", "/studies/{study_id}/copy", "study duplicated"),
        Route("POST", "/studies/{study_id}/delete", "study deleted"),
        Route("POST", "/studies/{study_id}/release", "items released"),
        Route("POST", "/studies/{study_id}/raters/{code}/exclude", "rater excluded"),
        Route("POST", "/studies/{study_id}/raters/{code}/include", "rater included again"),
        Route("POST", "/studies/{study_id}/raters/{code}/release", "items released"),
        Route("POST", "/studies/{study_id}/raters/{code}/key", "return key requested"),
        Route("PUT", "/api/analyse/slices", "slice saved"),
        Route("DELETE", "/api/analyse/slices", "slice removed"),
        Route("POST", "/api/coding/codebooks", "codebook added"),
        Route("PUT", "/api/coding/codes", "sample coded"),
        Route("POST", "/api/coding/coded-set", "codes imported", most=20_000_000),
    ),
    # Routes for accounts that manage people.
    "admin": (
        *_get("/people", "/people/log", "/studies/published"),
        Route("POST", "/studies/published/{name}", "published data fetched"),
        Route("POST", "/studies/{study_id}/raters/{code}/erase", "rater erased"),
        Route("GET", "/people/log.csv", "log exported"),
        Route("GET", "/people/log.jsonl", "log exported"),
        Route("POST", "/people", "account made"),
        Route("POST", "/people/{account_id}/link", "password link made"),
        Route("POST", "/people/{account_id}/role", "role changed"),
        Route("POST", "/people/{account_id}/close", "account closed"),
        Route("POST", "/people/{account_id}/open", "account opened"),
        Route("POST", "/people/sessions/{session_id}/end", "session ended"),
        Route("GET", "/api/studies/{study_id}/raters/{code}/everything.json", "rater's data exported"),
    ),
    # Routes for nobody. They are parts of Gradio that Capscope does not use, such as reading files by path, uploads,
    # fetching addresses and sign-in.
    "nobody": (
        *_get("/logout", "/monitoring", "/monitoring/summary", "/monitoring/{key}", "/openapi.json"),
        *(Route("GET", f"/gradio_api/{path}") for path in _CLOSED_TO_READ),
        Route("POST", "/login"),
        *(Route("POST", f"/gradio_api/{path}") for path in _CLOSED_TO_WRITE),
    ),
}
