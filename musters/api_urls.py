# /api/v1/musters/
from django.urls import URLPattern, path

from musters import api

urlpatterns: list[URLPattern] = [
    path("", api.MusterList.as_view()),
    path("quick/", api.QuickArmy.as_view()),
    path("a/<str:code>/", api.ArmyByCode.as_view()),
    path("own/", api.OwnDice.as_view()),
    path("of/<slug:campaign>/<slug:kingdom>/", api.MusterHistory.as_view()),
    path("evening/", api.RandomGameView.as_view()),
    path("compare/", api.CompareView.as_view()),
    path("compare/<slug:campaign>/<int:battle>/", api.BattleCompareView.as_view()),
    path("<slug:code>/", api.MusterDetail.as_view()),
    path("<slug:code>/steps/", api.MusterAnswer.as_view()),
    path("<slug:code>/again/", api.MusterReroll.as_view()),
    path("<slug:code>/keep/", api.MusterKeepRoll.as_view()),
    path("<slug:code>/back/", api.MusterUndo.as_view()),
    path("<slug:code>/agree/", api.MusterAcceptChanges.as_view()),
    path("<slug:code>/word/", api.MusterWord.as_view()),
    path("<slug:code>/take/", api.MusterFinish.as_view()),
]
