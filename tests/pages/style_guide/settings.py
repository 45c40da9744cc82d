"""The site with its style guide at /guide/. To look at it:

DJANGO_SETTINGS_MODULE=tests.pages.style_guide.settings .venv/bin/python manage.py serve
"""

from pathlib import Path

from config.settings import *  # noqa: F403
from config.settings import STATICFILES_DIRS as SITE_FILES

ROOT_URLCONF = "tests.pages.style_guide.urls"
STATICFILES_DIRS = [*SITE_FILES, Path(__file__).parent / "static"]
