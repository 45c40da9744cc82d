"""The site with the style guide, which only tests and whoever changes the look need."""

from django.urls import path

from config.urls import *  # noqa: F403
from config.urls import urlpatterns as site_urls
from tests.pages.style_guide.view import guide

urlpatterns = [path("guide/", guide), *site_urls]
