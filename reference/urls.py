# /rules/
from django.urls import path

from reference import api, views
from reference.chapters import TABLES

app_name = "reference"
urlpatterns = [
    path("", views.index, name="index"),
    path("odds/", views.odds_page, name="odds"),
    path("scenarios/<slug:key>/", views.scenario, name="scenario"),
    path("<slug:key>/", views.chapter, name="chapter"),
]

# /api/v1/rules/
api_urlpatterns = [
    path("", api.Tables.as_view()),
    path("search/", api.Search.as_view()),
    path("odds/attack/", api.AttackOdds.as_view()),
    path("odds/muster/", api.MusterOdds.as_view()),
    *(path(f"{table.key}/", api.rows_view(table)) for table in TABLES),
    *(path(f"{table.key}/<str:key>/", api.row_view(table)) for table in TABLES),
]
