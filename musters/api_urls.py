# /api/v1/musters/
from django.urls import URLPattern, path

from musters import api
from musters.compare import api as compare_api
from musters.kingdom_history import api as history_api
from musters.quick_army import own_dice_api
from musters.random_game import api as random_game_api

urlpatterns: list[URLPattern] = [
    path("", api.BeginMusterView.as_view()),
    path("quick/", api.QuickArmyView.as_view()),
    path("a/<str:code>/", api.ArmyByCodeView.as_view()),
    path("own/", own_dice_api.OwnDice.as_view()),
    path("of/<slug:campaign>/<slug:kingdom>/", history_api.MusterHistory.as_view()),
    path("evening/", random_game_api.RandomGameView.as_view()),
    path("compare/", compare_api.CompareView.as_view()),
    path("compare/<slug:campaign>/<int:battle>/", compare_api.BattleCompareView.as_view()),
    path("<slug:code>/", api.MusterView.as_view()),
    path("<slug:code>/steps/", api.AnswerView.as_view()),
    path("<slug:code>/again/", api.RerollView.as_view()),
    path("<slug:code>/keep/", api.KeepRollView.as_view()),
    path("<slug:code>/back/", api.UndoView.as_view()),
    path("<slug:code>/agree/", api.AcceptChangesView.as_view()),
    path("<slug:code>/word/", api.SealedWordView.as_view()),
    path("<slug:code>/take/", api.FinishMusterView.as_view()),
]
