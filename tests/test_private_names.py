"""What we touch of other people's libraries is documented by them, or stands here with its reason.

An upgrade may change anything else without a word. ``make newest`` runs a few tests with the newest releases.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
LIBRARIES = {"django", "rest_framework", "drf_spectacular", "psycopg", "gunicorn", "uvicorn", "celery", "kombu"}
LIBRARIES |= {"jinja2", "a2wsgi"}
NOT_OURS = {"tests", "bench", ".venv", "var", "node_modules"}

# Modules with a page or a section in their library's documentation. Of the others, each name needs a reason.
DOCUMENTED = """
a2wsgi
celery celery.signals celery.worker.request celery.exceptions celery.schedules celery.utils.log
django django.apps django.conf django.contrib django.contrib.admin django.contrib.auth django.contrib.auth.admin
django.contrib.auth.models django.contrib.auth.signals django.contrib.sessions.backends.base
django.contrib.sessions.backends.db django.contrib.sessions.middleware django.contrib.sessions.models django.core
django.core.cache django.core.exceptions django.core.mail django.core.management django.core.management.base
django.core.management.color django.core.paginator django.core.serializers.json django.core.validators django.core.wsgi
django.db
django.db.backends.signals django.db.migrations django.db.migrations.operations django.db.migrations.operations.base
django.db.models django.db.models.fields.json django.db.models.functions
django.db.models.signals django.forms django.http django.middleware.common django.middleware.csrf
django.middleware.gzip django.shortcuts django.template django.template.defaultfilters django.template.loader
django.templatetags.static django.urls django.utils django.utils.cache django.utils.dateparse django.utils.functional
django.utils.html django.utils.http django.utils.module_loading django.utils.safestring django.utils.text
django.views.decorators.cache django.views.decorators.debug django.views.decorators.http
django.views.generic
drf_spectacular.extensions drf_spectacular.openapi drf_spectacular.types drf_spectacular.utils drf_spectacular.views
jinja2 jinja2.bccache jinja2.runtime
kombu
psycopg psycopg.pq
rest_framework rest_framework.authentication rest_framework.parsers rest_framework.permissions
rest_framework.renderers rest_framework.request rest_framework.response rest_framework.serializers
rest_framework.throttling rest_framework.views
uvicorn
""".split()  # noqa: SIM905

# Not mentioned there, though their module is.
HIDDEN = {
    "django.contrib.auth.BACKEND_SESSION_KEY",
    "django.contrib.auth.HASH_SESSION_KEY",
    "django.contrib.auth.SESSION_KEY",
    "django.core.cache.BaseCache",
    "django.urls.URLPattern",
    "django.urls.get_urlconf",
    "django.utils.http.parse_etags",
    "django.utils.module_loading.autodiscover_modules",
    "rest_framework.authentication.CSRFCheck",
}
SESSIONS = "a log-in by token or by a personal link writes the session that Django's own log-in reads"
MIGRATIONS = "deploy says which migrations an older release cannot stand; Django shows that only as text"

# Imported without being documented.
IMPORTED = {
    "django.contrib.auth.BACKEND_SESSION_KEY": SESSIONS,
    "django.contrib.auth.HASH_SESSION_KEY": SESSIONS,
    "django.contrib.auth.SESSION_KEY": SESSIONS,
    "django.core.cache.BaseCache": "only a type",
    "django.core.cache.backends.locmem.LocMemCache": "limits go on being counted in this process while Redis is away",
    "django.db.migrations.executor.MigrationExecutor": MIGRATIONS,
    "django.db.migrations.loader.MigrationLoader": MIGRATIONS,
    "django.db.migrations.state.ProjectState": "only a type",
    "django.db.models.fields.NOT_PROVIDED": MIGRATIONS,
    "django.urls.URLPattern": "only a type",
    "django.urls.get_urlconf": "part of the key under which an address is kept",
    "django.utils.crypto.constant_time_compare": "as Django compares its own secrets",
    "django.utils.crypto.salted_hmac": "as Django signs; what is stored was made by it",
    "django.utils.dateformat.format": "the letters of the documented filter ``date``, in Python",
    "django.utils.duration.duration_string": "a duration in a backup as Django reads it again",
    "django.utils.http.parse_etags": "the documented decorators work out the tag after the page is drawn",
    "django.utils.module_loading.autodiscover_modules": "job_kinds.py of each app, as Django finds admin.py",
    "rest_framework.authentication.CSRFCheck": "sessions without cookies; what DRF's SessionAuthentication does",
}
# Attributes that begin with an underscore, of objects that a library made.
TOUCHED = {
    "_insert": "a restored row keeps its dates; bulk_create would write today's into auto_now fields",
    "_request": "of a DRF request: pages and API share functions that take Django's own request",
}
# No secrets of a library: methods of a namedtuple, Django's documented _meta, _state and _base_manager, what we put
# on a request or a row ourselves, and attributes of our own classes.
OURS = {
    *("_asdict", "_replace"),
    *("_base_manager", "_meta", "_state"),
    *("_all_ids", "_answer_to_keep", "_browser"),
    *("_bands", "_rows", "_sealed", "_source", "_timers_done", "_top", "_with_occupant"),
}


def product_modules() -> list[Path]:
    return [
        path
        for path in sorted(ROOT.rglob("*.py"))
        if path.relative_to(ROOT).parts[0] not in NOT_OURS and "migrations" not in path.parts
    ]


def names_in(tree: ast.AST) -> tuple[set[str], set[str]]:
    """Undocumented imports, and underscored attributes of anything but the object itself."""
    imported: set[str] = set()
    touched: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in LIBRARIES:
                names = {f"{module}.{row.name}" for row in node.names}
                hidden = {name for name in names if name in HIDDEN or "._" in name}
                imported |= hidden if module in DOCUMENTED else names
            case ast.Import():
                names = {row.name for row in node.names if row.name.partition(".")[0] in LIBRARIES}
                imported |= names - set(DOCUMENTED)
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name) if name.startswith("_") and not name.startswith("__"):
                touched.add(name)
    return imported, touched


@pytest.fixture(scope="module")
def found() -> tuple[set[str], set[str]]:
    imported: set[str] = set()
    touched: set[str] = set()
    for path in product_modules():
        more = names_in(ast.parse(path.read_text()))
        imported |= more[0]
        touched |= more[1]
    return imported, touched


def test_imports_are_documented_or_have_a_reason(found):
    assert found[0] == set(IMPORTED)


def test_underscores_have_a_reason(found):
    assert found[1] - OURS == set(TOUCHED)


def test_an_import_that_is_not_documented_is_noticed():
    assert names_in(ast.parse("from django.db.models.sql.compiler import SQLCompiler"))[0]
    assert names_in(ast.parse("import celery.worker"))[0]
    assert names_in(ast.parse("queryset._iterable_class"))[1]
