"""The smallest files that are whole weights, for tests of where weights are looked for."""

import io
import zipfile


def safetensors() -> bytes:
    """Return a file of safetensors without a tensor."""
    return (2).to_bytes(8, "little") + b"{}"


def torch_zip() -> bytes:
    """Return a zip as torch.save writes one, with a record that no test loads."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        file.writestr("archive/data.pkl", b"")
    return content.getvalue()
