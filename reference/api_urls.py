# /api/v1/rules/
from django.urls import path

from reference import api
from reference.chapters import TABLES

urlpatterns = [
    path("", api.Tables.as_view()),
    path("search/", api.Search.as_view()),
    path("odds/attack/", api.AttackOdds.as_view()),
    path("odds/muster/", api.MusterOdds.as_view()),
    *(path(f"{table.key}/", api.rows_view(table)) for table in TABLES),
    *(path(f"{table.key}/<str:key>/", api.row_view(table)) for table in TABLES),
]
