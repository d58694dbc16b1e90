"""A served toy, a data set and the command line, for tests of scoring over HTTP."""

from tests.ui.test_score_endpoint import dataset, folder, run, server, toys, url

__all__ = ["dataset", "folder", "run", "server", "toys", "url"]
