"""The web app: JSON routes, static files, and Gradio's pages."""

import asyncio
import errno
import os
import socket
import warnings

import uvicorn
from fastapi import Depends, FastAPI
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from core.errors import BadSetting
from core.network import LOOPBACK_HOSTS
from ui.services.accounts.invitations import base_address
from ui.services.demo import DATASET as DEMO
from ui.services.demo import ensure_demo
from ui.services.importing.uploading import Bringing
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace, check_key, hold_for_serving, open_workplace
from ui.settings import Settings, check_reach
from ui.web.access.access_checks import Access
from ui.web.access.gates import Gates
from ui.web.access.other_sites import Guard
from ui.web.access.proxy import BehindProxy, NamedByProxy
from ui.web.access.refusals import add_refusals, storable_texts
from ui.web.frame.gradio_import import gr, without_apps
from ui.web.frame.head import Compress, Frame
from ui.web.frame.pages import build_pages
from ui.web.routes.dependencies import dependencies_of
from ui.web.routes.routers import ROUTERS

EVENT_PAUSE_S = 1.0  # seconds after which Gradio looks again for events
WARM_AFTER_S = 3.0  # seconds from the start to the loading of models, because the first page needs the processor first
PATIENCE_S = 2  # seconds to wait at shutdown, for unfinished responses and then for running models
INTERRUPTED = 130  # exit code
LOCAL = Settings(warm=False)  # settings for use on this machine only
# Gradio's environment variables that would weaken Capscope's access control.
_UNSAFE_VARIABLES = ("GRADIO_ALLOWED_PATHS", "GRADIO_MCP_SERVER", "GRADIO_SHARE", "GRADIO_VIBE_MODE")


def build_app(
    workplace: Workplace, judge: Judge | None = None, settings: Settings = LOCAL, bringing: Bringing | None = None
) -> FastAPI:
    """Return the app for an open data folder."""
    judge = judge or Judge(workplace, endpoint=settings.model_server())
    with without_apps():
        pages = build_pages()
    return _with_pages(build_api(workplace, judge, settings, bringing), pages, settings)


def build_api(
    workplace: Workplace, judge: Judge, settings: Settings = LOCAL, bringing: Bringing | None = None
) -> FastAPI:
    """Return the app without Gradio's frame around the pages.

    bringing: runs the imports; the caller must close it.
    """
    needed = dependencies_of(workplace, judge, settings, bringing or bringing_of(workplace, settings))
    app = FastAPI(
        title="Capscope",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        dependencies=[Depends(storable_texts)],
    )
    app.state.dependencies = needed
    for router in ROUTERS:
        app.include_router(router)
    app.add_middleware(Frame, files=needed.files, root=needed.pages.root)
    app.add_middleware(Compress)
    add_refusals(app, needed.pages.waiting)
    app.add_middleware(Access, door=needed.door, pages=needed.pages, gates=Gates(app.routes))
    app.add_middleware(Guard, hosts={*LOOPBACK_HOSTS, settings.host}, public_url=settings.public_url)
    app.add_middleware(BehindProxy, public_url=settings.public_url)
    proxies = settings.trusted_proxies
    if proxies:  # headers that state a client's address and https count only if a trusted proxy sends them
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=[str(network) for network in proxies])
    # The middleware that is added last handles a request first. It needs the address of the proxy itself.
    app.add_middleware(NamedByProxy, header=settings.user_header, proxies=proxies)
    return app


def bringing_of(workplace: Workplace, settings: Settings) -> Bringing:
    """Return the queue in which a server runs imports."""
    return Bringing(workplace, settings.database, settings.downloads)


def prepare(settings: Settings) -> "Server":
    """Open the port and the data folder and build the app. Raises BadSetting."""
    check_reach(settings)
    for name in _UNSAFE_VARIABLES:
        os.environ.pop(name, None)
    listening = _listen(settings)
    workplace = open_workplace(settings)
    check_key(workplace)
    hold_for_serving(settings.data_dir, base_address(settings))
    ensure_demo(workplace)
    return Server(listening, workplace, Judge(workplace, endpoint=settings.model_server()), settings)


class Server(uvicorn.Server):
    """A server that cancels all scoring when it stops, so that waiting pages receive a response."""

    def __init__(
        self,
        listening: socket.socket,
        workplace: Workplace,
        judge: Judge,
        settings: Settings = LOCAL,
    ) -> None:
        """Prepare to serve a data folder. The data and files of unfinished imports are deleted."""
        self._bringing = bringing_of(workplace, settings)
        self._bringing.clear_soon()
        app = build_app(workplace, judge, settings, self._bringing)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=PATIENCE_S,
            proxy_headers=False,
        )
        super().__init__(config)
        self._listening, self._workplace, self._judge = listening, workplace, judge
        self._warmed, self._demands_sign_in = settings.warm, settings.demands_sign_in

    @property
    def can_be_entered(self) -> bool:
        """Return whether anybody can sign in. Always True if sign-in is not required."""
        return not self._demands_sign_in or any(not one.disabled for one in self._workplace.repository.accounts.all())

    def serve_until_interrupted(self) -> None:
        """Serve until interrupted, then close the data folder.

        If a model is still running after PATIENCE_S, the process ends without waiting for the model.
        """
        try:
            self.run(sockets=[self._listening])
        finally:
            idle = self._judge.close(PATIENCE_S)
            self._workplace.repository.close()
            if (
                not idle
            ):  # end the process immediately: Python would wait minutes for a running model, which cannot be stopped
                os._exit(INTERRUPTED)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve requests. Models are loaded afterwards."""
        await super().startup(sockets)
        if self._warmed:
            asyncio.get_running_loop().call_later(WARM_AFTER_S, self._judge.warm, DEMO)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all connections, including those of open pages."""
        self._judge.close()
        self._bringing.close()
        await super().shutdown(sockets)


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listening = socket.create_server((settings.host, settings.port), family=family)
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (")[0]  # removes the address that Python adds in brackets
        other = (
            (f" If Capscope is already running, open {base_address(settings)}.")
            if error.errno == errno.EADDRINUSE
            else ""
        )
        problem = f"Capscope cannot listen on port {settings.port} ({reason}).{other} Choose another port with --port."
        raise BadSetting(problem) from error
    # Connections inherit this option. Without it a response's body waits 40 ms for the browser's acknowledgement.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _with_pages(app: FastAPI, pages: gr.Blocks, settings: Settings) -> FastAPI:
    app.state.gradio_pages = pages
    theme = gr.themes.Base(font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"])
    with warnings.catch_warnings():
        # Browsers, not the server, render several mounted pages. Gradio warns of this, but it is intended.
        warnings.filterwarnings("ignore", message="SSR mode is not supported", category=UserWarning)
        mounted: FastAPI = gr.mount_gradio_app(
            app,
            pages,
            path="/",
            root_path=None if settings.public_url is None else str(settings.public_url),
            theme=theme,
            footer_links=[],
            run_history=False,
            ssr_mode=False,
            mcp_server=False,
            show_error=False,
            max_file_size="20mb",
        )
    # By default, Gradio looks for events and progress 1,000 times a second, which takes a sixth of a core. Capscope's
    # pages use neither.
    pages._queue.sleep_when_free = pages._queue.progress_update_sleep_when_free = EVENT_PAUSE_S
    return mounted
