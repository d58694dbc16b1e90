"""The routers of all routes. The first route that matches a request handles it."""

from ui.web.routes import (
    accounts,
    analyse,
    browse,
    coding,
    health,
    import_pages,
    inspect,
    new_study,
    rating,
    signing_in,
    static_files,
    study_entry,
    study_files,
    study_forms,
    study_pages,
    visits,
)

ROUTERS = (
    rating.ROUTER,
    visits.ROUTER,
    study_entry.ROUTER,
    signing_in.ROUTER,
    accounts.ROUTER,
    new_study.ROUTER,
    import_pages.ROUTER,
    study_forms.ROUTER,
    study_pages.ROUTER,  # its /studies/{study_id} must come after /studies/new and /studies/import
    study_files.ROUTER,
    browse.ROUTER,
    inspect.ROUTER,
    import_pages.UPLOADS,
    analyse.ROUTER,
    coding.ROUTER,
    health.ROUTER,
    static_files.ROUTER,
)
