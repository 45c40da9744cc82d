# /api/v1/tables/
from django.urls import path

import cardgames.addresses  # noqa: F401  (what a table's code looks like)
from cardgames import api, side_api

urlpatterns = [
    path("", api.Tables.as_view()),
    path("decks/", side_api.Decks.as_view()),
    path("decks/<slug:game>/", side_api.DeckDetail.as_view()),
    path("score/<slug:game>/", side_api.Score.as_view()),
    path("<table:code>/", api.TableDetail.as_view()),
    path("<table:code>/seats/<int:number>/", api.SeatView.as_view()),
    path("<table:code>/seats/<int:number>/choose/", api.Choices.as_view()),
]
