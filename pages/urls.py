# /
from django.urls import path

from pages import arms_editor, style_guide, theme

app_name = "pages"
urlpatterns = [
    path("guide/", style_guide.guide, name="guide"),
    path("arms/", arms_editor.try_arms, name="arms"),
    path("theme/", theme.set_theme, name="theme"),
]
