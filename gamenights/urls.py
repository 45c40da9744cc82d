# / (nights/, groups/, n/)
from django.urls import path

import cardgames.selectors  # noqa: F401  (registers the "table" converter, used for nights too)
from gamenights.nights import views as nights_views
from gamenights.notices import views as notices_views
from gamenights.plays import views as plays_views
from gamenights.recap import views as recap_views
from gamenights.shelf import views as shelf_views
from gamenights.standings import views as standings_views
from gamenights.transfer import views as transfer_views

app_name = "gamenights"
urlpatterns = [
    path("n/", nights_views.enter_code, name="enter_code"),
    path("me/notices/", notices_views.my_notices, name="my_notices"),
    # /nights/<code>/
    path("nights/<table:code>/", nights_views.night_page, name="night"),
    path("nights/<table:code>/part/", nights_views.night_part, name="night_part"),
    path("nights/<table:code>/answer/", nights_views.answer, name="answer"),
    path("nights/<table:code>/here/", nights_views.check_in_here, name="check_in"),
    path("nights/<table:code>/leave/", nights_views.leave, name="leave"),
    path("nights/<table:code>/run/", nights_views.manage, name="manage"),
    path("nights/<table:code>/bring/", nights_views.bring, name="bring"),
    path("nights/<table:code>/dates/", nights_views.dates, name="dates"),
    path("nights/<table:code>/change/", nights_views.change_night, name="change_night"),
    path("nights/<table:code>/start-table/", nights_views.start_table, name="start_table"),
    path("nights/<table:code>/votes/", shelf_views.vote, name="vote"),
    path("nights/<table:code>/recap/", recap_views.recap_page, name="recap"),
    path("nights/<table:code>/recap.png", recap_views.recap_picture, name="recap_picture"),
    path("nights/<table:code>/tv/", nights_views.tv, name="tv"),
    path("nights/<table:code>/tv/part/", nights_views.tv_part, name="tv_part"),
    path("nights/<table:code>/log/", plays_views.log_in_night, name="log_play"),
    path("nights/<table:code>/calendar.ics", nights_views.night_file, name="night_file"),
    path("groups/calendar/<str:token>.ics", nights_views.group_calendar, name="group_calendar"),
    path("groups/calendar/<str:token>.atom", nights_views.group_feed, name="group_feed"),
    # /groups/<code>/
    path("groups/<slug:code>/nights/plan/", nights_views.plan_night, name="plan_night"),
    path("groups/<slug:code>/nights/tonight/", nights_views.start_tonight, name="start_tonight"),
    path("groups/<slug:code>/games/", shelf_views.shelf, name="shelf"),
    path("groups/<slug:code>/games/<int:pk>/", shelf_views.change_game, name="change_game"),
    path("groups/<slug:code>/campaigns/", plays_views.change_campaigns, name="campaigns"),
    path("groups/<slug:code>/webhooks/", notices_views.webhooks, name="webhooks"),
    path("groups/<slug:code>/calendar/", nights_views.addresses, name="calendar_addresses"),
    path("groups/<slug:code>/standings/", standings_views.standings, name="standings"),
    path("groups/<slug:code>/standings/season/", standings_views.start_season, name="start_season"),
    path("groups/<slug:code>/standings/<int:person>/", standings_views.person_page, name="person_standings"),
    path("groups/<slug:code>/plays/import/", transfer_views.upload_file, name="import_plays"),
    path("groups/<slug:code>/plays/import/preview/", transfer_views.import_preview, name="import_preview"),
    path("groups/imports/<job:ref>/", transfer_views.import_progress, name="import_progress"),
    path("groups/<slug:code>/plays/export/<slug:form>/", transfer_views.export_plays, name="export_plays"),
    path("groups/<slug:code>/plays/log/", plays_views.log_in_group, name="log_play_in_group"),
    path("groups/<slug:code>/plays/<slug:uuid>/", plays_views.play_page, name="play"),
    path("groups/<slug:code>/plays/<slug:uuid>/change/", plays_views.change_play, name="change_play"),
    path("groups/<slug:code>/plays/<slug:uuid>/run/", plays_views.manage_play, name="manage_play"),
    path("groups/<slug:code>/plays/<slug:uuid>/photos/", plays_views.add_photo, name="add_photo"),
]
