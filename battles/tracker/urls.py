# /battles/: tracker and quick fight
from django.urls import path

from battles.quick_fight import views as quick_fight_views
from battles.tracker import solo_opponent_views, views

urlpatterns = [
    path("fight/", quick_fight_views.quick_fight, name="quick_fight"),
    path("<slug:code>/table/", views.tracker, name="tracker"),
    path("<slug:code>/table/board/", views.board, name="tracker_board"),
    path("<slug:code>/table/lay/", views.set_up, name="set_up_tracker"),
    path("<slug:code>/table/step/", views.take_step, name="take_step"),
    path("<slug:code>/table/set/", views.fix_tracker, name="fix_tracker"),
    path("<slug:code>/table/helper/", views.combat_helper, name="combat_helper"),
    path("<slug:code>/table/history/", views.history, name="tracker_history"),
    path("<slug:code>/table/opponent/", solo_opponent_views.solo_opponent, name="solo_opponent"),
    path("<slug:code>/table/units/<slug:unit>/", views.unit_page, name="tracker_unit"),
    path("<slug:code>/table/take-back/<int:number>/", views.undo_step, name="undo_step"),
]
