import importlib
import threading

import pytest

from core.models.language.spacy_import import hidden


def test_a_hidden_module_is_missing_and_comes_back() -> None:
    with hidden("wave_of_tests"), pytest.raises(ModuleNotFoundError, match="hidden while"):
        importlib.import_module("wave_of_tests")
    with pytest.raises(ModuleNotFoundError, match="No module named"):
        importlib.import_module("wave_of_tests")


def test_a_module_is_hidden_from_one_thread_only() -> None:
    seen: list[str] = []

    def look() -> None:
        try:
            importlib.import_module("wave_of_tests")
        except ModuleNotFoundError as error:
            seen.append(str(error))

    with hidden("wave_of_tests"):
        other = threading.Thread(target=look)
        other.start()
        other.join()
    assert seen == ["No module named 'wave_of_tests'"]


def test_a_module_that_was_imported_before_stays() -> None:
    with hidden("json"):
        assert importlib.import_module("json").dumps(1) == "1"
