# /musters/compare/
from django.urls import path

from musters import compare_views

urlpatterns = [
    path("", compare_views.show, name="compare"),
    path("fresh/", compare_views.fresh, name="compare_fresh"),
    path("<slug:campaign>/<int:battle>/", compare_views.battle, name="compare_battle"),
]
