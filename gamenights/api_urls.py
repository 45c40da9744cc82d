# /api/v1/ (groups/, nights/)
from django.urls import path

import cardgames.tables.url_converters  # noqa: F401  (registers the "table" converter, used for nights too)
from gamenights import api
from gamenights.notices.personal import api as notices_api
from gamenights.shelf import api as shelf_api
from gamenights.standings import api as standings_api

urlpatterns = [
    path("groups/", api.GroupList.as_view()),
    path("groups/<slug:code>/", api.GroupDetail.as_view()),
    path("groups/<slug:code>/plays/", api.PlayList.as_view()),
    path("groups/<slug:code>/plays/<slug:uuid>/", api.PlayDetail.as_view()),
    path("groups/<slug:code>/games/", shelf_api.ShelfList.as_view()),
    path("groups/<slug:code>/standings/", standings_api.Standings.as_view()),
    path("me/notices/", notices_api.MyNotices.as_view()),
    path("nights/<table:code>/votes/", shelf_api.NightVotes.as_view()),
    path("nights/<table:code>/", api.NightDetail.as_view()),
    path("nights/<table:code>/here/", api.NightCheckIn.as_view()),
]
