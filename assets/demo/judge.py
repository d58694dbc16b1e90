"""Write outcomes.json anew: `make demo`, after a change of what HICE-S says."""

import json
import sys
import tempfile
from pathlib import Path

from ui.services.demo import demo_samples, ensure_demo
from ui.services.demo_outcomes import FILE, made_outcomes
from ui.services.workplace import open_workplace
from ui.settings import Settings


def main() -> None:
    """Make the demo in a folder that goes away, judge it, and write what came out."""
    with tempfile.TemporaryDirectory() as folder:
        workplace = open_workplace(Settings(data_dir=Path(folder)))
        ensure_demo(workplace)
        made = made_outcomes(demo_samples(workplace))
        workplace.repository.close()
    lines = (f"{json.dumps(key)}: {json.dumps(columns, ensure_ascii=False)}" for key, columns in made.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
