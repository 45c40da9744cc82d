"""All settings in one file: defaults that work with nothing set, each one overridden by the environment."""

import contextlib
import ipaddress
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from jinja2 import StrictUndefined

from config import env
from config.env import read_or_make_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent

# Everything the running site writes lives in one folder.
VAR = Path(env.read_text("VAR", str(BASE_DIR / "var"))).expanduser().absolute()
with contextlib.suppress(OSError):  # manage.py serve says in a sentence where it cannot be made
    VAR.mkdir(parents=True, exist_ok=True)

# DEBUG=0 is for a site that others use. Without it the site is at home: any host name, a demo world, unhashed files.
AT_HOME = env.read_flag("DEBUG", True)
# Django's own pages with tracebacks are for whoever develops, never for guests on the home network.
DEBUG = AT_HOME and env.read_flag("TRACEBACKS", False)
# PLAIN=1 keeps nothing between requests: pages are the same to the letter, only slower. For finding an old value.
PLAIN = env.read_flag("PLAIN", False)
HOST = env.read_text("HOST", "127.0.0.1")
PORT = env.read_number("PORT", 8000, least=1, most=65535)

# The one address for guests: every link, QR and print uses it, never the Host header.
PUBLIC_URL = env.read_public_url("PUBLIC_URL")
SECURE = PUBLIC_URL.startswith("https://")

SECRET_KEY = env.read_text("SECRET_KEY") or read_or_make_secret_key(VAR / "secret_key")

# Webhooks to addresses of the home network: only on a site whose members may reach everything in it.
PRIVATE_WEBHOOKS = env.read_flag("PRIVATE_WEBHOOKS", False)

SIGN_UP = env.read_choice("SIGN_UP", ("open", "invite", "closed"))
DEMO = env.read_flag("DEMO", AT_HOME) and AT_HOME

ALLOWED_HOSTS = env.read_list("ALLOWED_HOSTS") or (
    ["*"] if AT_HOME else [urlsplit(PUBLIC_URL).hostname or "localhost", "localhost", "127.0.0.1"]
)
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []

# Proxies whose X-Forwarded-For is believed when failures are counted per address.
TRUSTED_PROXIES = []
for _proxy in env.read_list("TRUSTED_PROXIES"):
    try:
        TRUSTED_PROXIES.append(ipaddress.ip_network(_proxy, strict=False))
    except ValueError as _error:
        raise ImproperlyConfigured(f"TRUSTED_PROXIES must be addresses or networks, not {_proxy!r}.") from _error

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "log",
    "people",
    "photos",
    "groups",
    "live",
    "jobs",
    "campaign",
    "cardgames",
    "musters",
    "battles",
    "gamenights",
    "printing",
    "pages",
    "reference",
    "home",
    "ops",
]

MIDDLEWARE = [
    "pages.request_middleware.RequestIdMiddleware",
    "pages.request_middleware.RequestMetricsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "pages.answer_middleware.StaticCompressionMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "pages.answer_middleware.CompressionMiddleware",
    "pages.answer_middleware.PreloadLinksMiddleware",
    "pages.answer_middleware.SymbolFileMiddleware",
    "pages.answer_middleware.SecurityHeadersMiddleware",
    "pages.request_middleware.RequestCleaningMiddleware",
    "pages.request_middleware.TimeZoneMiddleware",
    "people.api_tokens.services.TokenSessionMiddleware",
    "pages.request_middleware.MissingSlashMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "people.accounts.log_ins.WhoMiddleware",
    "people.api_repeats_and_limits.IdempotencyMiddleware",
    "pages.refusal_handling.RefusalMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "environment": "pages.jinja.environment",
            "undefined": StrictUndefined,
            "lstrip_blocks": True,
            "cache_size": -1,  # all of them stay
            "context_processors": [
                "django.contrib.messages.context_processors.messages",
                "pages.theme.theme_and_section",
            ],
        },
    },
    {  # for the admin, the API's browsable pages and its documentation
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates/for_django"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# A new connection costs more than most pages. The threads that answer stay, and their connections with them.
KEEP_CONNECTIONS = env.read_number("KEEP_CONNECTIONS", 60, least=0, most=3600)
DATABASES = {"default": env.read_database("DATABASE_URL", VAR, keep_seconds=KEEP_CONNECTIONS)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.read_redis_url("REDIS_URL")
if REDIS_URL:
    CACHES: dict[str, dict[str, object]] = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            # A Redis that hangs costs a request this much, not the 5 seconds of redis-py.
            "OPTIONS": {"socket_connect_timeout": 0.3, "socket_timeout": 0.3},
        }
    }
else:
    # Failures are counted here: room enough that a flood of names cannot push the counters out.
    CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 50_000}}
    }

# Celery: a job is a row and its message only names it, so losing one costs a few seconds, never a job.
# Without Redis messages are files, for the worker that manage.py serve starts.
CELERY_BROKER_URL = REDIS_URL or "filesystem://localhost/"
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {"quick": {}, "slow": {}}
CELERY_TASK_DEFAULT_QUEUE = "quick"
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
_messages = VAR / "messages"
if REDIS_URL:
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {
        "socket_connect_timeout": 1,
        "socket_timeout": 2,
        "max_retries": 0,
    }
else:
    with contextlib.suppress(OSError):
        _messages.mkdir(mode=0o700, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_messages),
        "data_folder_out": str(_messages),
        "control_folder": str(_messages / "control"),
        "polling_interval": 0.2,
    }
# Two at a time, of which at most one is slow (jobs.turns_and_leases). A process that has grown, as all do by printing,
# is replaced after its task: a site at home then needs 270 MB instead of 570, and a print 0.8 s more.
CELERY_WORKER_CONCURRENCY = 2
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 150_000
# A process that was killed is replaced at once; its result cannot come any more.
CELERY_WORKER_LOST_WAIT = 1.0
# Publishing never makes a request wait for a Redis that is down; the row is sent again.
CELERY_TASK_PUBLISH_RETRY = False

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "people:log_in"
LOGIN_REDIRECT_URL = "home:home"

SESSION_COOKIE_AGE = 60 * 60 * 24 * 365
SESSION_ENGINE = "people.accounts.log_ins"
SESSION_COOKIE_NAME = "companion_session"
CSRF_COOKIE_NAME = "companion_csrf"
CSRF_FAILURE_VIEW = "pages.refusal_handling.csrf_failure"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE
# Browsers ship the preload list and a site cannot leave it quickly, so only on request.
SECURE_HSTS_PRELOAD = SECURE and env.read_flag("HSTS_PRELOAD", False)
SECURE_SSL_REDIRECT = False  # the proxy in front knows which port is which
SILENCED_SYSTEM_CHECKS = ["security.W008", "security.W021"]  # about that redirect and the preload list
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE and TRUSTED_PROXIES else None
SECURE_REFERRER_POLICY = "same-origin"
# Browsers complain of this header on plain http, where they ignore it.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if SECURE else None
X_FRAME_OPTIONS = "DENY"

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False  # one language: nothing is looked up in catalogues on the way to a page

STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [BASE_DIR / "static", ("img", BASE_DIR / "heraldry" / "symbols")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if AT_HOME
        else "pages.answer_middleware.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = AT_HOME
MEDIA_ROOT = VAR / "files"
# Files are handed out by views that check who asks; nothing is served straight from disk.
MEDIA_URL = ""

EMAIL_HOST = env.read_text("EMAIL_HOST")
EMAIL_PORT = env.read_number("EMAIL_PORT", 587, least=1, most=65535)
EMAIL_HOST_USER = env.read_text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.read_text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.read_flag("EMAIL_USE_TLS", True)
DEFAULT_FROM_EMAIL = env.read_text("DEFAULT_FROM_EMAIL", "companion@localhost")
EMAIL_BACKEND = (
    "django.core.mail.backends.smtp.EmailBackend" if EMAIL_HOST else "django.core.mail.backends.dummy.EmailBackend"
)
EMAIL_TIMEOUT = 10

DATA_UPLOAD_MAX_MEMORY_SIZE = 25 * 1024 * 1024
# A deck of three hundred cards is one form.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 4000

# Requests to the API in a minute from one token, browser or network; a quarter of them may write. 0: no limit.
API_RATE = env.read_number("API_RATE", 1200, least=0, most=1_000_000)
REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "pages.api.schema.AutoSchema",
    "DEFAULT_AUTHENTICATION_CLASSES": ["people.api_tokens.scopes.WhoAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["people.api_tokens.scopes.ScopePermission"],
    "DEFAULT_THROTTLE_CLASSES": ["people.api_repeats_and_limits.RequestThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["pages.api.parsers_and_renderers.PlainNamesRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "pages.api.parsers_and_renderers.CleanJSONParser",
        "pages.api.parsers_and_renderers.CleanFormParser",
    ],
    "EXCEPTION_HANDLER": "people.api_tokens.scopes.api_exception_handler",
    "UNAUTHENTICATED_USER": None,
}
API_TAGS = {
    "log-in": "Get a token: by name and password, by personal link, with a new account; list and end tokens.",
    "me": "Your own account: name, arms, password, log-ins, notices, and everything the site stores about you.",
    "people": "The people you know, and the guests you look after.",
    "links": "What a link is for and accepting it, and the links you have made.",
    "home": "What waits for you, and the evenings you played.",
    "campaigns": "A campaign's chronicle, state, standings, approvals, seasons and files.",
    "musters": "Muster an army, roll a quick one, compare two, or draw a random game.",
    "battles": "Battles from their set-up to the report, with the tracker, slips, photos and statistics.",
    "tables": "Card games: tables and seats, decks, results, and score sheets for printed cards.",
    "groups": "Groups with their members, nights, plays, shelf, standings and webhooks.",
    "nights": "One night: who comes, what to bring, dates, votes, card tables and the recap.",
    "photos": "One photo of a play or a battle.",
    "print": "Sheets on paper: what can be printed, an order, its progress and its file.",
    "jobs": "Work in the background: its progress and its file.",
    "rules": "The rulebook as data, with exact odds. Needs no log-in.",
    "site": "For the owner of the site: how it is, and its backups.",
    "webhooks": "What the site sends to your own addresses.",
    "feeds": "Addresses outside the API that programs subscribe to.",
}
# Parts of the site that stand under the heading of another.
API_TAG_OF_PART = {
    **dict.fromkeys(("log-out", "sign-up", "first-owner", "forgotten-password", "tokens"), "log-in"),
    "passes": "links",
    **dict.fromkeys(("evenings", "your-move"), "home"),
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Mice-at-Arms campaign companion",
    "DESCRIPTION": (BASE_DIR / "config" / "api_docs.md").read_text(),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "TAGS": [{"name": name, "description": sentence} for name, sentence in API_TAGS.items()],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "PARSER_WHITELIST": ["rest_framework.parsers.JSONParser"],  # forms are read too, but one way is enough to learn
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": ["pages.api.schema.add_what_every_operation_has"],
    "PATH_CONVERTER_OVERRIDES": {
        "slug": {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
        "job": {"type": "string", "pattern": "^([A-Za-z0-9_-]{22}|[0-9]{1,18})$"},
    },
    "WEBHOOKS": [
        "gamenights.feeds_and_webhooks_schema.group_notice",
        "gamenights.feeds_and_webhooks_schema.personal_notice",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "docExpansion": "none"},  # the parts of the site first
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# Copies of everything, made each night at this hour (UTC) and by hand; so many are kept.
BACKUPS = VAR / "backups"
# Modules with further card games; each registers its game and its drawings.
CARD_GAMES = env.read_list("CARD_GAMES")

NIGHT_HOUR = env.read_number("NIGHT_HOUR", 4, least=0, most=23)
KEEP_COPIES = env.read_number("KEEP_COPIES", 7, least=0, most=1000)

LOG_FORMAT = env.read_choice("LOG_FORMAT", ("text", "json"))
LOG_LEVEL = env.read_choice("LOG_LEVEL", ("INFO", "DEBUG", "WARNING", "ERROR"))
LOG_FILE = env.read_text("LOG_FILE")
# /metrics answers whoever sends this token. The processes of the site keep their counts in one folder.
METRICS_TOKEN = env.read_text("METRICS_TOKEN")
if METRICS_TOKEN:
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(VAR / "metrics"))
    with contextlib.suppress(OSError):
        Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).mkdir(parents=True, exist_ok=True)
# Queries that take longer are logged, without their values; 0 logs none.
SLOW_QUERY_MS = env.read_number("SLOW_QUERY_MS", 500, least=0, most=60_000)
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_id": {"()": "config.log_lines.RequestIdFilter"}},
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name} [{request_id}]: {message}", "style": "{"},
        "json": {"()": "config.log_lines.JsonFormatter"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["request_id"]},
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django.request": {"level": "ERROR"},
        "django.server": {"level": "WARNING"},
        "uvicorn.access": {"level": "WARNING"},
        "uvicorn.error": {"level": "WARNING"},
        "celery": {"level": "WARNING"},
        "kombu": {"level": "WARNING"},
    },
}
if LOG_FILE:
    # Beside the terminal: a file shared by all processes of the site, which logrotate may move.
    with contextlib.suppress(OSError):
        Path(LOG_FILE).parent.mkdir(parents=True, exist_ok=True)
    LOGGING["handlers"]["file"] = {
        "class": "config.log_lines.LogFile",
        "formatter": LOG_FORMAT,
        "filters": ["request_id"],
        "filename": LOG_FILE,
        "encoding": "utf-8",
        "delay": True,
    }
    LOGGING["root"]["handlers"].append("file")
