# /musters/
from django.urls import include, path

from musters import views
from musters.kingdom_history import views as history_views
from musters.quick_army import views as quick_army_views
from musters.wizard import views as wizard_views

app_name = "musters"
urlpatterns = [
    path("", views.index, name="index"),
    path("quick/", quick_army_views.quick_army, name="quick_army"),
    path("own/", quick_army_views.own_dice, name="own_dice"),
    path("a/", views.by_code, name="by_code"),
    path("a/<str:code>/", views.army, name="army"),
    path("for/<slug:campaign>/<int:battle>/<slug:kingdom>/", wizard_views.begin, name="begin"),
    path("of/<slug:campaign>/<slug:kingdom>/", history_views.history, name="history"),
    path("dice-animation/", wizard_views.toggle_dice_animation, name="dice_animation"),
    path("evening/", include("musters.random_game.urls")),
    path("compare/", include("musters.compare.urls")),
    # Keep these last: a muster code would match the words above.
    path("<slug:code>/", wizard_views.muster, name="muster"),
    path("<slug:code>/part/", wizard_views.muster_part, name="muster_part"),
    path("<slug:code>/answer/", wizard_views.answer, name="answer"),
    path("<slug:code>/again/", wizard_views.reroll, name="reroll"),
    path("<slug:code>/keep/", wizard_views.keep_roll, name="keep_roll"),
    path("<slug:code>/back/", wizard_views.undo, name="undo"),
    path("<slug:code>/agree/", wizard_views.accept_changes, name="accept_changes"),
    path("<slug:code>/word/", wizard_views.give_word, name="sealed_word"),
    path("<slug:code>/take/", wizard_views.finish, name="finish"),
]
