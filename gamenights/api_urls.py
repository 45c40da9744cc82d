# /api/v1/ (groups/, nights/)
from django.urls import path

import cardgames.tables.url_converters  # noqa: F401  (registers the "table" converter, used for nights too)
from gamenights import api

urlpatterns = [
    path("groups/", api.GroupList.as_view()),
    path("groups/<slug:code>/", api.GroupDetail.as_view()),
    path("groups/<slug:code>/plays/", api.PlayList.as_view()),
    path("groups/<slug:code>/plays/<slug:uuid>/", api.PlayDetail.as_view()),
    path("nights/<table:code>/", api.NightDetail.as_view()),
    path("nights/<table:code>/here/", api.NightCheckIn.as_view()),
]
