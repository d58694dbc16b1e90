"""What must work in a container of the image, and hold after a restart."""

import shlex

import httpx

from tests.image.container import Running, link_in

PASSWORD = "a few words of my own"
LABELS = {"metric": "HICE-S", "caption": "A lion lies in the grass."}
CV2 = """
from core.models.sam.detector import prepare_ultralytics
prepare_ultralytics()
import cv2
from ultralytics.models.sam.build import build_mobile_sam
build_mobile_sam()
print(cv2.__version__)
"""
WRITTEN = """
import os, tempfile, matplotlib
from huggingface_hub.constants import HF_HUB_CACHE
os.makedirs(HF_HUB_CACHE, exist_ok=True)
open(os.path.join(HF_HUB_CACHE, "written"), "w").close()
"""


def first_visit(container: Running, client: httpx.Client, is_full: bool) -> None:
    """Make an account by a command, sign in, see pages, judge by labels, rate, back up."""
    link = link_in(container.said("python", "app.py", "user", "add", "ann", "--role", "admin"))
    assert link.startswith(f"{client.base_url}".rstrip("/")), f"{link} is not at {client.base_url}"
    client.get(link).raise_for_status()
    form = {"password": PASSWORD, "again": PASSWORD}
    assert client.post(link, data=form).status_code == 303, "the password was not set"
    for page in ("/", "/rate", "/studies", "/analyse"):
        assert "capscope" in client.get(page).raise_for_status().text, page
    samples = client.get("/api/samples?dataset=demo").raise_for_status().json()["samples"]
    sample = next(one for one in samples if one["image"])  # some photographs of the demo come with models' packages
    picture = client.get(sample["image"]).raise_for_status()
    assert picture.headers["content-type"].startswith("image/")
    said = client.post("/api/judge", json={"sample": sample["id"], **LABELS}, timeout=300).raise_for_status().text
    assert ("model_unavailable" in said) != is_full and ('"value"' in said) == is_full, said
    assert client.post("/api/rate/session", json={"code": "K7"}).is_success
    (item,) = client.get("/api/rate/studies/1/items?count=1").raise_for_status().json()["items"]
    save = {"key": "one-key-0", "assignment": item["id"], "kind": "rating", "age_ms": 0, "panel": 1}
    save |= {"criterion": "consistency", "point": 3}
    saved = client.post("/api/rate/saves", json={"saves": [save]}).raise_for_status().json()
    assert saved["results"][0]["saved"], saved
    container.said(*shlex.split("python app.py backup /data/backups --keep 14"))
    if is_full:
        print("   cv2", container.said("python", "-c", CV2).strip())
        container.said("python", "-c", WRITTEN)
        assert list(container.volumes["/weights"].glob("huggingface/hub/written")), (
            "weights are not kept in their volume"
        )


def what_is_kept(client: httpx.Client) -> tuple[str, int]:
    """Return what a signed-in visitor finds again after a restart: the answers, and how many samples there are."""
    answers = client.get("/api/studies/1/export.csv").raise_for_status().text
    assert "consistency" in answers
    return answers, client.get("/api/samples?dataset=demo").raise_for_status().json()["total"]
