"""What Capscope promises its users, in one list. Each sentence names the test that holds it, as file::function."""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
MOST_SENTENCES = 60

ANNOTATORS = {
    "A killed server loses and doubles no answer that the page showed as saved.": (
        "browser/test_never_lost.py::test_a_server_killed_again_and_again_during_saves_loses_nothing_and_doubles_nothing"
    ),
    "Answers given offline are sent in order, even if the tab was closed in between.": (
        "browser/test_never_lost.py::"
        "test_answers_given_offline_are_sent_in_order_when_the_server_is_back_even_after_the_tab_was_closed"
    ),
    "After a backup is restored, the page sends again what the server lacks.": (
        "browser/test_never_lost.py::test_after_a_restore_the_page_sends_again_what_the_server_lacks"
    ),
    "An answer that arrives twice is stored once.": (
        "storage/rating/test_saving.py::test_a_save_that_comes_again_however_late_changes_nothing"
    ),
    "A refused answer holds up no other answer.": (
        "ui/test_routes.py::test_a_bad_save_is_refused_with_a_reason_and_holds_up_no_other"
    ),
    "A full disk is reported, and nothing is half stored.": (
        "storage/test_database_file.py::test_a_full_disk_is_told_and_saving_goes_on_once_there_is_room"
    ),
    "A key answers the item and the question for which it was pressed.": (
        "browser/test_rating.py::test_keys_that_come_before_the_next_item_is_painted_count_for_that_item"
    ),
    "Every form can be rated to its end, and every answer is stored as it was pressed.": (
        "ui/test_every_form.py::test_all_that_raters_said_is_there"
    ),
    "No answer of the server names a metric to a rater.": (
        "ui/test_blinding.py::test_a_whole_study_never_names_a_metric_to_its_raters"
    ),
    "The server withholds the picture until the questions about the text are answered.": (
        "storage/rating/test_hidden_picture.py::test_the_picture_is_refused_until_every_explanations_consistency_is_stored"
    ),
    "What a form hides is not sent to its raters.": (
        "storage/rating/test_study_forms.py::test_what_a_form_hides_is_not_sent_to_its_raters"
    ),
    "Regions that raters see come without precisions, recalls and scores.": (
        "ui/test_overlay_studies.py::test_raters_get_neither_precisions_nor_recalls"
    ),
    "A rater continues in another browser with the return key.": (
        "ui/test_routes.py::test_a_rater_comes_back_in_another_browser_with_the_return_key"
    ),
    "A rater of one link sees no other study.": (
        "ui/web/test_access.py::test_a_rater_gets_their_own_study_and_hears_of_no_other"
    ),
    "A rater agrees only to the text that was shown.": (
        "browser/test_asked.py::test_a_rater_agrees_and_answers_to_nothing_but_what_they_have_read"
    ),
    "A rater can report an item as broken, and skip it.": (
        "ui/test_speaking.py::test_a_rater_skips_and_the_manager_reads_the_report"
    ),
    "Raters from a recruitment platform return with the code of how they ended.": (
        "browser/test_door.py::test_a_recruitment_platform_gets_its_raters_back_with_a_code"
    ),
    "A first visit takes at most 15 requests and 150 KiB.": (
        "browser/test_door.py::test_a_first_visit_by_a_link_costs_few_requests_and_bytes"
    ),
    "An erased rater leaves no name, code or note.": (
        "storage/rating/test_life_cycle.py::test_an_erased_rater_leaves_ratings_without_a_name_or_nothing_as_asked"
    ),
}
RESEARCHERS = {
    "A data set that was written to files is imported again without any loss.": (
        "ui/services/test_dataset_export.py::test_what_is_written_comes_back_whole"
    ),
    "What a file contains comes back from the database.": (
        "storage/data/test_importing.py::test_what_was_in_the_file_comes_back_from_the_database"
    ),
    "All mistakes of a file are listed with row, field, expected and found value.": (
        "test_cli.py::test_bad_rows_are_told_together_and_skipped_on_request"
    ),
    "Files as other tools write them are read: separators, paths, lists of references, one row per judge.": (
        "ui/test_odd_files.py::test_references_come_in_every_usual_form"
    ),
    "Nobody sees half an import.": "storage/data/test_import_batches.py::test_nobody_sees_half_an_import",
    "A published file is read as its authors meant it.": (
        "core/datasets/test_published.py::test_a_file_is_read_as_its_authors_meant_it"
    ),
    "The archive of a study gives the same report and the same export.": (
        "ui/test_every_form.py::test_the_archive_gives_the_same_figures"
    ),
    "An archive contains no private data and no other study.": (
        "ui/services/test_archive.py::test_no_private_value_and_no_other_study_is_in_an_archives_bytes"
    ),
    "Agreement equals scipy's and counts every caption once.": (
        "ui/analyse/test_sections.py::test_agreement_is_scipys_and_counts_every_caption_once"
    ),
    "The largest errors are those of a plain reading of the data.": (
        "ui/analyse/test_sections.py::test_largest_errors_are_those_of_a_plain_reading"
    ),
    "A study's figures are those of reading its answers one by one.": (
        "core/studies/test_same_figures.py::test_agreement_is_the_same_as_answer_by_answer"
    ),
    "A command prints the figures that the page shows.": (
        "ui/analyse/test_sections.py::test_the_command_prints_what_the_page_shows"
    ),
    "The report contains what the page shows.": (
        "ui/analyse/test_report_page.py::test_the_report_stands_alone_and_holds_what_the_page_shows"
    ),
    "The same seed draws the same items.": (
        "core/studies/test_planning.py::test_the_same_seed_draws_the_same_items_and_another_one_others"
    ),
    "FLEUR's published correlations are reproduced to the last digit.": (
        "core/benchmarks/test_correlation.py::test_fleurs_published_correlations_are_reproduced"
    ),
    "BLEU, ROUGE-L and CIDEr give the published correlations.": (
        "core/metrics/test_classic_targets.py::test_taus_on_flickr8k_expert_are_the_published_ones"
    ),
    "HICE-S gives the golden scores.": "core/metrics/test_hice.py::test_the_golden_scores_hold",
    "A smoothed score is the sum that the paper defines.": (
        "core/test_smoothing.py::test_golden_answers_are_smoothed_as_expected"
    ),
    "A model server gives the scores and explanations of the same model in this process.": (
        "core/models/test_served.py::test_scores_and_explanations_are_those_of_the_model_here"
    ),
    "A score that could not be made is an error with its reason, and never a number.": (
        "core/test_smoothing.py::test_an_answer_without_a_score_is_an_error_with_the_models_words"
    ),
    "A run that is killed goes on where it stopped.": (
        "ui/test_score_command.py::test_a_killed_run_loses_quick_outcomes_alone_and_goes_on"
    ),
    "An own metric is one file.": ("test_own_metric.py::test_the_page_leads_from_a_file_to_inspect_analyse_and_report"),
    "An own form is one file.": (
        "core/studies/test_form_file.py::test_a_form_of_your_own_is_read_with_yes_and_no_for_points"
    ),
    "A new format is one reader and one line.": "promises/test_new_format.py::test_a_new_format_is_one_value",
    "A new section of Analyse is one file and one line.": (
        "ui/analyse/test_sections.py::test_a_new_section_is_one_value"
    ),
}
VISITORS = {
    "Every page, section and export opens without data, with one sample, and with many.": (
        "promises/test_every_page_opens.py::test_with_data_every_page_section_and_export_opens"
    ),
    "Inspect shows the numbers of the command line.": (
        "browser/test_inspect.py::test_the_page_shows_the_very_numbers_of_the_command_line"
    ),
    "The precisions and recalls that Inspect shows make up the score.": (
        "ui/test_shown_numbers.py::test_precisions_and_recalls_are_the_maxima_of_the_matrix_and_their_means_the_score"
    ),
    "Marks of a caption are those of the agreed table.": (
        "core/captions/test_marks.py::test_a_caption_has_the_marks_of_the_table"
    ),
    "An edited caption is judged while it is typed, and is not stored.": (
        "browser/test_inspect.py::test_an_edited_caption_is_judged_as_it_is_typed_and_not_saved"
    ),
    "Text of people and files stays text on pages, in exports and in figures.": (
        "promises/test_hostile_text.py::test_ratings_and_notes_are_exported_whole"
    ),
    "The static copy of the demo asks no other host for anything.": (
        "browser/test_demo_copy.py::"
        "test_a_visitor_walks_the_copy_also_on_a_small_dark_screen_and_nothing_is_asked_of_another_host"
    ),
}
OPERATORS = {
    "A restored backup equals what was backed up, to the byte.": (
        "ui/services/test_backup.py::test_what_is_restored_elsewhere_is_the_same_to_the_byte"
    ),
    "A backup that is made while people rate contains every acknowledged answer.": (
        "ui/services/test_backup.py::test_a_backup_while_people_rate_holds_every_answer_acknowledged_before_it"
    ),
    "Every route is closed to everybody who is not named for it.": (
        "ui/web/test_access.py::test_everybody_gets_exactly_what_is_theirs_of_every_route"
    ),
    "A route without a stated access stops the start.": (
        "ui/web/test_access.py::test_a_route_without_a_gate_stops_the_start_and_one_that_comes_later_is_closed"
    ),
    "A server that others can reach demands an account.": (
        "ui/test_settings.py::test_sign_in_is_demanded_wherever_others_may_reach_the_server"
    ),
    "Another site can neither read nor write anything.": (
        "ui/web/test_security.py::test_a_write_from_another_origin_or_without_our_header_is_refused"
    ),
    "People rate without the packages of the models.": (
        "test_rating_alone.py::test_without_the_models_packages_people_rate_and_pages_say_what_is_missing"
    ),
    "The installed command serves the pages from any folder.": (
        "test_wheel.py::"
        "test_the_installed_command_serves_the_pages_from_an_empty_folder_and_names_itself_and_its_documentation"
    ),
}
PROMISES: Mapping[str, str] = {**ANNOTATORS, **RESEARCHERS, **VISITORS, **OPERATORS}


@cache
def functions(file: str) -> frozenset[str]:
    """Return the names of a file's test functions."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("group", [ANNOTATORS, RESEARCHERS, VISITORS, OPERATORS])
def test_each_promise_has_its_test(group: dict[str, str]) -> None:
    places = {sentence: held.partition("::") for sentence, held in group.items()}
    lost = {sentence: held for sentence, (file, _, held) in places.items() if held not in functions(file)}
    assert lost == {}, "these tests were renamed or deleted: name the tests that hold the promises now"


def test_the_list_is_short_enough_to_be_read() -> None:
    assert len(PROMISES) <= MOST_SENTENCES
