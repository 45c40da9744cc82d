# /musters/
from django.urls import URLPattern, path

from musters import api, views

app_name = "musters"
urlpatterns = [
    path("", views.index, name="index"),
    path("quick/", views.quick_army, name="quick_army"),
    path("own/", views.own_dice, name="own_dice"),
    path("a/", views.by_code, name="by_code"),
    path("a/<str:code>/", views.army, name="army"),
    path("for/<slug:campaign>/<int:battle>/<slug:kingdom>/", views.begin, name="begin"),
    path("of/<slug:campaign>/<slug:kingdom>/", views.history, name="history"),
    path("dice-animation/", views.toggle_dice_animation, name="dice_animation"),
    path("evening/", views.random_game, name="random_game"),
    path("evening/fresh/", views.new_random_game, name="random_game_new"),
    path("evening/ground.svg", views.download_table, name="random_game_table"),
    path("compare/", views.compare, name="compare"),
    path("compare/fresh/", views.compare_new_armies, name="compare_new"),
    path("compare/<slug:campaign>/<int:battle>/", views.compare_battle_armies, name="compare_battle"),
    # Keep these last: a muster code would match the words above.
    path("<slug:code>/", views.muster, name="muster"),
    path("<slug:code>/part/", views.muster_part, name="muster_part"),
    path("<slug:code>/answer/", views.answer, name="answer"),
    path("<slug:code>/again/", views.reroll, name="reroll"),
    path("<slug:code>/keep/", views.keep_roll, name="keep_roll"),
    path("<slug:code>/back/", views.undo, name="undo"),
    path("<slug:code>/agree/", views.accept_changes, name="accept_changes"),
    path("<slug:code>/word/", views.give_word, name="sealed_word"),
    path("<slug:code>/take/", views.finish, name="finish"),
]

# /api/v1/musters/
api_urlpatterns: list[URLPattern] = [
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
