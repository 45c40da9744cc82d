# /
from django.urls import path

from pages import arms_editor, theme

app_name = "pages"
urlpatterns = [
    path("arms/", arms_editor.try_arms, name="arms"),
    path("theme/", theme.set_theme, name="theme"),
]
