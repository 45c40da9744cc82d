# /
from django.urls import path

from pages import arms, guide, theme

app_name = "pages"
urlpatterns = [
    path("guide/", guide.guide, name="guide"),
    path("arms/", arms.arms, name="arms"),
    path("theme/", theme.theme, name="theme"),
]
