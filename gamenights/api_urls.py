# /api/v1/ (groups/, nights/)
from django.urls import path

import cardgames.selectors  # noqa: F401  (registers the "table" converter, used for nights too)
from gamenights.nights import api as nights_api
from gamenights.notices import api as notices_api
from gamenights.plays import api as plays_api
from gamenights.shelf import api as shelf_api
from gamenights.standings import api as standings_api
from gamenights.transfer import api as transfer_api

urlpatterns = [
    # groups/<code>/
    path("groups/<slug:code>/", nights_api.GroupWithNights.as_view()),
    path("groups/<slug:code>/nights/", nights_api.NightList.as_view()),
    path("groups/<slug:code>/nights/tonight/", nights_api.NightTonight.as_view()),
    path("groups/<slug:code>/plays/", plays_api.PlayList.as_view()),
    path("groups/<slug:code>/plays/upload/", transfer_api.PlaysUploadView.as_view()),
    path("groups/<slug:code>/plays/import/", transfer_api.PlaysImport.as_view()),
    path("groups/<slug:code>/plays/export/<slug:form>/", transfer_api.PlaysExport.as_view()),
    path("groups/<slug:code>/plays/<slug:uuid>/", plays_api.PlayDetail.as_view()),
    path("groups/<slug:code>/plays/<slug:uuid>/acts/", plays_api.PlayActs.as_view()),
    path("groups/<slug:code>/plays/<slug:uuid>/photos/", plays_api.PlayPhotos.as_view()),
    path("groups/<slug:code>/games/", shelf_api.ShelfList.as_view()),
    path("groups/<slug:code>/games/<int:pk>/", shelf_api.ShelfGame.as_view()),
    path("groups/<slug:code>/standings/", standings_api.Standings.as_view()),
    path("groups/<slug:code>/standings/<slug:person>/", standings_api.PersonStandings.as_view()),
    path("groups/<slug:code>/seasons/", standings_api.SeasonList.as_view()),
    path("groups/<slug:code>/campaigns/", plays_api.GroupCampaigns.as_view()),
    path("groups/<slug:code>/calendar/", nights_api.CalendarAddresses.as_view()),
    path("groups/<slug:code>/webhooks/", notices_api.WebhookList.as_view()),
    path("groups/<slug:code>/webhooks/log/", notices_api.DeliveryList.as_view()),
    path("groups/<slug:code>/webhooks/<int:pk>/", notices_api.WebhookDetail.as_view()),
    path("groups/<slug:code>/webhooks/<int:pk>/test/", notices_api.WebhookTest.as_view()),
    # nights/<code>/
    path("nights/<table:code>/", nights_api.NightDetail.as_view()),
    path("nights/<table:code>/answer/", nights_api.NightAnswer.as_view()),
    path("nights/<table:code>/here/", nights_api.NightCheckIn.as_view()),
    path("nights/<table:code>/leave/", nights_api.NightLeave.as_view()),
    path("nights/<table:code>/acts/", nights_api.NightActs.as_view()),
    path("nights/<table:code>/bring/", nights_api.NightBring.as_view()),
    path("nights/<table:code>/bring/<int:pk>/", nights_api.NightBringItem.as_view()),
    path("nights/<table:code>/dates/", nights_api.NightDates.as_view()),
    path("nights/<table:code>/tables/", nights_api.NightTables.as_view()),
    path("nights/<table:code>/votes/", shelf_api.NightVotes.as_view()),
    path("nights/<table:code>/recap/", nights_api.NightRecapView.as_view()),
    path("me/notices/", notices_api.MyNotices.as_view()),
]
