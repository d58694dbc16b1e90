"""Make the TypeScript types of requests and responses from the Python types of the routes.

`python -m ui.web.wire` writes ui/static/shared/wire.d.ts again. So if a field is renamed in Python, type checking
fails in scripts that read the old name (decision 139).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from ui.web.files.static_files import STATIC

TARGET = STATIC / "shared" / "wire.d.ts"
_Schema = Mapping[str, Any]  # a JSON schema
_REFERENCE = "#/components/schemas/"
_NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_HEAD = """// Made by `python -m ui.web.wire` from the routes in ui/web/routes: change those, not this file.

type Part = string | number;
type Bare<Path extends string> = Path extends `${infer Start}?${string}` ? Start : Path;

"""


def wire_types(app: FastAPI) -> str:
    """Return the TypeScript declarations of all requests and responses under /api."""
    schema = get_openapi(title="wire", version="", routes=app.routes, separate_input_output_schemas=True)
    known = schema["components"]["schemas"]
    operations = list(_operations(schema["paths"]))
    answers = {(method, path): _answer(operation) for method, path, operation in operations}
    bodies = {(method, path): _body(operation) for method, path, operation in operations}
    taken, answered = _within(bodies.values(), known), _within(answers.values(), known)
    parts = [_declaration(_name(name), known[name], name in taken) for name in sorted(taken | answered)]
    parts.append(_by_route("Answer", "Answer of the server to a request; type never if no route takes it.", answers))
    parts.append(_by_route("Body", "What a request carries as JSON.", bodies))
    return _HEAD + "\n".join(parts)


def _answer(operation: Mapping[str, Any]) -> _Schema | None:
    responses = [one for status, one in operation["responses"].items() if status.startswith("2")]
    return next((content["schema"] for one in responses for content in one.get("content", {}).values()), None) or None


def _body(operation: Mapping[str, Any]) -> _Schema | None:
    body: _Schema | None = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    return body


def _within(schemas: Iterable[_Schema | None], known: Mapping[str, _Schema]) -> set[str]:
    found: set[str] = set()
    waiting = re.findall(_REFERENCE + r'([^"]+)"', json.dumps([*schemas]))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += re.findall(_REFERENCE + r'([^"]+)"', json.dumps(known[name]))
    return found


def _operations(paths: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield (method, path, operation), longer paths first.

    If shorter paths came first, the pattern "/samples/{id}" would match "/samples/{id}/metrics".
    """
    for path in sorted(paths, key=lambda path: (-path.count("/"), path.count("{"), path)):
        if path.startswith("/api/"):
            yield from ((method.upper(), path, operation) for method, operation in paths[path].items())


def _by_route(name: str, about: str, types: Mapping[tuple[str, str], _Schema | None]) -> str:
    """Return TypeScript declarations that look up a type by method and path.

    Each HTTP method has its own lookup type, because TypeScript cannot evaluate a single type with a hundred routes.
    """
    known = {route: schema for route, schema in types.items() if schema is not None}
    methods = sorted({method for method, _ in known})
    parts = []
    for asked in methods:
        lines = [f"type {name}Of{asked.title()}<Path extends string> ="]
        for (method, path), schema in known.items():
            if method == asked:
                pattern = re.sub(r"{[^}]*}", "${Part}", path)
                lines.append(f"  Bare<Path> extends `{pattern}` ? {_type(schema)} :")
        parts.append("\n".join([*lines, "  never;", ""]))
    lines = [f"/** {about} */", f"export type {name}<Method extends string, Path extends string> ="]
    lines += [f'  Method extends "{method}" ? {name}Of{method.title()}<Path> :' for method in methods]
    return "\n".join([*parts, *lines, "  never;", ""])


def _declaration(name: str, schema: _Schema, is_taken: bool) -> str:
    """Return the TypeScript declaration of a type.

    is_taken: True: requests use the type, and may omit fields with a default; False: only responses use it, and they
    have all fields.
    """
    about = schema.get("description", "").split("\n")[0]
    head = f"/** {about} */\n" if about else ""
    if schema.get("type") != "object" or "properties" not in schema:
        return f"{head}export type {name} = {_type(schema)};\n"
    required = schema.get("required", ()) if is_taken else schema["properties"]
    fields = [f"  {key}{'' if key in required else '?'}: {_type(one)};\n" for key, one in schema["properties"].items()]
    return f"{head}export interface {name} {{\n{''.join(fields)}}}\n"


def _type(schema: _Schema) -> str:
    if "$ref" in schema:
        return _name(str(schema["$ref"]).removeprefix(_REFERENCE))
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return " | ".join(_literal(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
        return f"Array<{_type(schema.get('items', {}))}>"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values) if isinstance(values, dict) else 'any'}>"
    return _NAMES.get(schema.get("type", ""), "unknown")


def _name(name: str) -> str:
    """Return a schema's name without hyphens, as TypeScript needs it.

    Pydantic names a type "Terms-Input" in requests if responses use another version of the same type.
    """
    return name.replace("-", "")


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def main() -> None:
    """Write the declarations to ui/static/shared/wire.d.ts."""
    from ui.services.scoring.judging import Judge
    from ui.services.workplace import open_workplace
    from ui.settings import Settings
    from ui.web.server import build_api

    with TemporaryDirectory(prefix="capscope-wire-") as folder:
        workplace = open_workplace(Settings(data_dir=Path(folder)))
        TARGET.write_text(wire_types(build_api(workplace, Judge(workplace))), encoding="utf-8")
        workplace.repository.close()


if __name__ == "__main__":
    main()
