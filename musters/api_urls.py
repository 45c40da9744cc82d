# /api/v1/musters/
from django.urls import URLPattern, path

from musters import api, compare_api, evening_api

urlpatterns: list[URLPattern] = [
    path("", api.Begin.as_view()),
    path("quick/", api.Quick.as_view()),
    path("a/<str:code>/", api.ByCode.as_view()),
    path("evening/", evening_api.EveningView.as_view()),
    path("compare/", compare_api.CompareView.as_view()),
    path("compare/<slug:campaign>/<int:battle>/", compare_api.BattleCompareView.as_view()),
    path("<slug:code>/", api.Detail.as_view()),
    path("<slug:code>/steps/", api.Steps.as_view()),
    path("<slug:code>/again/", api.Again.as_view()),
    path("<slug:code>/word/", api.Words.as_view()),
    path("<slug:code>/take/", api.Take.as_view()),
]
