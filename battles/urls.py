# /battles/
from django.urls import path

from battles import views
from battles.new_battle import views as new_battle_views
from battles.quick_fight import views as quick_fight_views
from battles.result import past_games_views, views as result_views
from battles.slip import views as slip_views
from battles.tracker import solo_opponent_views, views as tracker_views

app_name = "battles"
urlpatterns = [
    path("", views.index, name="index"),
    path("new/", new_battle_views.new_battle, name="new"),
    path("code/", slip_views.enter_code, name="enter_code"),
    path("slips/", slip_views.blank_slip_page, name="blank_slip"),
    path("statistics/", views.statistics, name="statistics"),
    path("past/<slug:campaign>/", past_games_views.past_games, name="past_games"),
    path("of/<slug:campaign>/<int:battle>/", views.campaign_battle, name="campaign_battle"),
    path("of/<slug:campaign>/<int:battle>/correct/", result_views.correct_result, name="correct"),
    path("heroes/<slug:campaign>/<slug:kingdom>/<int:house>/", views.hero, name="hero"),
    path("fight/", quick_fight_views.quick_fight, name="quick_fight"),
    path("<slug:code>/table/", tracker_views.tracker, name="tracker"),
    path("<slug:code>/table/board/", tracker_views.board, name="tracker_board"),
    path("<slug:code>/table/lay/", tracker_views.set_up, name="set_up_tracker"),
    path("<slug:code>/table/step/", tracker_views.take_step, name="take_step"),
    path("<slug:code>/table/set/", tracker_views.fix_tracker, name="fix_tracker"),
    path("<slug:code>/table/helper/", tracker_views.combat_helper, name="combat_helper"),
    path("<slug:code>/table/history/", tracker_views.history, name="tracker_history"),
    path("<slug:code>/table/opponent/", solo_opponent_views.solo_opponent, name="solo_opponent"),
    path("<slug:code>/table/units/<slug:unit>/", tracker_views.unit_page, name="tracker_unit"),
    path("<slug:code>/table/take-back/<int:number>/", tracker_views.undo_step, name="undo_step"),
    path("<slug:code>/", views.battle_page, name="page"),
    path("<slug:code>/live/", views.live_part, name="live"),
    path("<slug:code>/set-up/", views.set_up, name="set_up"),
    path("<slug:code>/on-the-table/", views.start, name="start"),
    path("<slug:code>/report/", result_views.report, name="report"),
    path("<slug:code>/report/worked-out/", result_views.report_preview, name="preview_report"),
    path("<slug:code>/photos/", views.add_photo, name="add_photo"),
    path("<slug:code>/written/", views.write_report, name="write_report"),
    path("<slug:code>/answer/", views.approve, name="approve"),
    path("<slug:code>/call-off/", views.call_off, name="call_off"),
    path("<slug:code>/reopen/", views.reopen, name="reopen"),
    path("<slug:code>/slip/", slip_views.slip_page, name="slip"),
    path("<slug:code>/slip/renew/", slip_views.renew_slip, name="renew_slip"),
    path("<slug:code>/share.png", views.share_picture, name="share"),
]
