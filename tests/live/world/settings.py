"""A small site for the live and outbox tests: one log, a page with its entries, forms of each kind."""

from pathlib import Path

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS, TEMPLATES

ROOT_URLCONF = "tests.live.world.urls"
INSTALLED_APPS = [app for app in INSTALLED_APPS if app.startswith("django") or app in ("log", "people", "live")]
INSTALLED_APPS += ["tests.live.world"]
MIDDLEWARE = [
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "pages.request_middleware.LateAnswerSessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "tests.live.world.who.WhoMiddleware",
]
TEMPLATES = [{**TEMPLATES[0], "DIRS": [*TEMPLATES[0]["DIRS"], Path(__file__).parent / "templates"]}]
TEMPLATES[0]["OPTIONS"] = TEMPLATES[0]["OPTIONS"] | {"context_processors": []}
# Tables straight from the models: the world needs no history.
MIGRATION_MODULES = dict.fromkeys(app.rsplit(".", 1)[-1] for app in INSTALLED_APPS)
CSRF_FAILURE_VIEW = "django.views.csrf.csrf_failure"
LOGGING = {}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
