# /tables/
from django.urls import path

import cardgames.selectors  # noqa: F401  (registers the "table" converter)
from cardgames import views
from cardgames.companion import api as companion_api
from cardgames.companion import views as companion_views
from cardgames.decks import api as decks_api
from cardgames.decks import views as decks_views
from cardgames.results import api as results_api
from cardgames.tables import api as tables_api
from cardgames.tables import views as tables_views
from cardgames.tables.seats import views as seats_views

app_name = "cardgames"
urlpatterns = [
    path("", tables_views.index, name="index"),
    path("host/<slug:game>/", tables_views.host_table, name="host"),
    path("join/", tables_views.join_table, name="join"),
    path("results/", views.result_list, name="results"),
    path("how/<slug:game>/", views.how_to_play_page, name="how_to_play"),
    path("decks/", decks_views.deck_list, name="decks"),
    path("decks/take-in/", decks_views.import_deck, name="deck_import"),
    path("decks/ours/<slug:copy>/", decks_views.copy_page, name="deck_copy"),
    path("decks/ours/<slug:copy>/edit/", decks_views.edit_copy, name="deck_edit"),
    path("decks/ours/<slug:copy>/open/", decks_views.share_copy, name="deck_share"),
    path("decks/ours/<slug:copy>/away/", decks_views.delete_copy, name="deck_delete"),
    path("decks/ours/<slug:copy>/deck.json", decks_views.copy_file, name="deck_copy_file"),
    path("decks/<slug:game>/", decks_views.house_deck_page, name="deck"),
    path("decks/<slug:game>/copy/", decks_views.create_copy, name="deck_create_copy"),
    path("decks/<slug:game>/deck.json", decks_views.house_deck_file, name="deck_file"),
    path("companion/<slug:game>/", companion_views.companion_page, name="companion"),
    path("companion/<slug:game>/begin/", companion_views.create_sheet, name="sheet_create"),
    path("sheets/<slug:sheet>/", companion_views.sheet_page, name="sheet"),
    path("sheets/<slug:sheet>/parts/", companion_views.sheet_parts, name="sheet_parts"),
    path("sheets/<slug:sheet>/turn/", companion_views.change_turn, name="sheet_turn"),
    path("sheets/<slug:sheet>/scores/", companion_views.enter_scores, name="sheet_scores"),
    path("sheets/<slug:sheet>/names/", companion_views.rename_seats, name="sheet_names"),
    path("sheets/<slug:sheet>/keep/", companion_views.save_result, name="sheet_save_result"),
    path("sheets/<slug:sheet>/again/", companion_views.play_again, name="sheet_again"),
    path("sheets/<slug:sheet>/roles/", companion_views.deal_roles, name="sheet_deal_roles"),
    path("sheets/<slug:sheet>/roles/<int:place>/", companion_views.role_page, name="sheet_role"),
    path("sheets/<slug:sheet>/roles/<int:place>/take/", companion_views.take_role, name="sheet_take_role"),
    path("sheets/<slug:sheet>/roles/<int:place>/seen/", companion_views.cover_role, name="sheet_cover_role"),
    path("sheets/<slug:sheet>/roles/open/", companion_views.reveal_roles, name="sheet_reveal_roles"),
    path("<table:code>/", tables_views.table_page, name="table"),
    path("<table:code>/around/", tables_views.overview, name="overview"),
    path("<table:code>/around/part/", tables_views.overview_part, name="overview_part"),
    path("<table:code>/part/", tables_views.table_part, name="table_part"),
    path("<table:code>/wall/", tables_views.tv, name="tv"),
    path("<table:code>/wall/part/", tables_views.tv_part, name="tv_part"),
    path("<table:code>/sit/", seats_views.sit_down, name="sit_down"),
    path("<table:code>/rules/", tables_views.change_rules, name="change_rules"),
    path("<table:code>/run/", tables_views.manage_table, name="manage_table"),
    path("<table:code>/replay/", views.replay_page, name="replay"),
    path("<table:code>/seats/<int:number>/", seats_views.seat_page, name="seat"),
    path("<table:code>/seats/<int:number>/part/", seats_views.seat_part, name="seat_part"),
    path("<table:code>/seats/<int:number>/menu/", seats_views.seat_menu, name="seat_menu"),
    path("<table:code>/seats/<int:number>/choose/", seats_views.choose, name="choose"),
    path("<table:code>/seats/<int:number>/show/", seats_views.show_cards, name="show_cards"),
    path("<table:code>/seats/<int:number>/own/", seats_views.manage_own_seat, name="manage_own_seat"),
    path("<table:code>/seats/<int:number>/restore/", seats_views.restore_seat, name="restore_seat"),
    path("<table:code>/seats/<int:number>/link/", seats_views.transfer_link, name="transfer_link"),
    path("<table:code>/seats/<int:number>/claim/", seats_views.claim_seat, name="claim_seat"),
    path("<table:code>/seats/<int:number>/run/", seats_views.manage_seat, name="manage_seat"),
]

# /api/v1/tables/
api_urlpatterns = [
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
