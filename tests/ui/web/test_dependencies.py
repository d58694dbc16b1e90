"""What routes depend on: each parameter type fetches the value of its own type."""

from dataclasses import fields
from typing import Any, get_args, get_type_hints

from ui.web.routes import dependencies
from ui.web.routes.dependencies import Dependencies

HELD = {name: value for name, value in vars(dependencies).items() if name.endswith("Dep")}


def provided() -> dict[str, Any]:
    """Return the type of each value of an app by its name."""
    repository = Dependencies.repository.fget
    return get_type_hints(Dependencies) | {"repository": get_type_hints(repository)["return"]}


def test_each_parameter_type_fetches_a_value_of_its_own_type() -> None:
    types = provided()
    assert get_args(dependencies.WorkplaceDep)[0] is types["workplace"]  # with the account that asks
    fetched = {"workplace"}
    for name, value in HELD.items():
        kind, depends = get_args(value)
        held = getattr(depends.dependency, "name", None)
        if held is not None:
            assert types[held] == kind, name
            fetched.add(held)
    assert fetched == {field.name for field in fields(Dependencies)} | {"repository"}
