# /api/v1/tables/
from django.urls import path

import cardgames.selectors  # noqa: F401  (registers the "table" converter)
from cardgames.companion import api as companion_api
from cardgames.decks import api as decks_api
from cardgames.results import api as results_api
from cardgames.tables import api as tables_api

urlpatterns = [
    path("", tables_api.TableList.as_view()),
    path("join/", tables_api.JoinView.as_view()),
    path("results/", results_api.ResultList.as_view()),
    path("results/tallies/", results_api.TallyList.as_view()),
    path("decks/", decks_api.DeckList.as_view()),
    path("decks/take-in/", decks_api.ImportDeck.as_view()),
    path("decks/ours/<slug:copy>/", decks_api.CopyDetail.as_view()),
    path("decks/ours/<slug:copy>/use/", decks_api.CopyUse.as_view()),
    path("decks/<slug:game>/", decks_api.DeckDetail.as_view()),
    path("decks/<slug:game>/copy/", decks_api.CreateCopy.as_view()),
    path("score/<slug:game>/", companion_api.ScoreView.as_view()),
    path("companion/<slug:game>/", companion_api.CompanionSetUp.as_view()),
    path("sheets/", companion_api.SheetList.as_view()),
    path("sheets/<slug:sheet>/", companion_api.SheetDetail.as_view()),
    path("sheets/<slug:sheet>/turn/", companion_api.SheetTurn.as_view()),
    path("sheets/<slug:sheet>/scores/", companion_api.SheetScores.as_view()),
    path("sheets/<slug:sheet>/options/", companion_api.SheetOptions.as_view()),
    path("sheets/<slug:sheet>/names/", companion_api.SheetNames.as_view()),
    path("sheets/<slug:sheet>/result/", companion_api.SheetResult.as_view()),
    path("sheets/<slug:sheet>/again/", companion_api.SheetAgain.as_view()),
    path("sheets/<slug:sheet>/roles/", companion_api.SheetRoles.as_view()),
    path("sheets/<slug:sheet>/roles/<int:place>/", companion_api.SheetRole.as_view()),
    path("<table:code>/", tables_api.TableDetail.as_view()),
    path("<table:code>/acts/", tables_api.TableActs.as_view()),
    path("<table:code>/replay/", results_api.Replay.as_view()),
    path("<table:code>/seats/<int:number>/", tables_api.SeatView.as_view()),
    path("<table:code>/seats/<int:number>/choose/", tables_api.ChooseView.as_view()),
    path("<table:code>/seats/<int:number>/link/", tables_api.SeatLinkView.as_view()),
]
