# /api/v1/tables/
from django.urls import path

import cardgames.tables.url_converters  # noqa: F401  (registers the "table" converter)
from cardgames.companion import score_api as companion_api
from cardgames.decks import api as decks_api
from cardgames.tables import api as tables_api

urlpatterns = [
    path("", tables_api.TableList.as_view()),
    path("decks/", decks_api.DeckList.as_view()),
    path("decks/<slug:game>/", decks_api.DeckDetail.as_view()),
    path("score/<slug:game>/", companion_api.ScoreView.as_view()),
    path("<table:code>/", tables_api.TableDetail.as_view()),
    path("<table:code>/acts/", tables_api.TableActs.as_view()),
    path("<table:code>/seats/<int:number>/", tables_api.SeatView.as_view()),
    path("<table:code>/seats/<int:number>/choose/", tables_api.ChooseView.as_view()),
]
