# /tables/
from django.urls import path

import cardgames.selectors  # noqa: F401  (registers the "table" converter)
from cardgames import views as how_to_play_views
from cardgames import views as results_views
from cardgames.companion import views as companion_views
from cardgames.decks import views
from cardgames.decks import views as decks_views
from cardgames.tables import views as tables_views
from cardgames.tables.seats import views as seats_views

app_name = "cardgames"
urlpatterns = [
    path("", tables_views.index, name="index"),
    path("host/<slug:game>/", tables_views.host_table, name="host"),
    path("join/", tables_views.join_table, name="join"),
    path("results/", results_views.result_list, name="results"),
    path("how/<slug:game>/", how_to_play_views.how_to_play_page, name="how_to_play"),
    path("decks/", decks_views.deck_list, name="decks"),
    path("decks/take-in/", views.import_deck, name="deck_import"),
    path("decks/ours/<slug:copy>/", views.copy_page, name="deck_copy"),
    path("decks/ours/<slug:copy>/edit/", views.edit_copy, name="deck_edit"),
    path("decks/ours/<slug:copy>/open/", views.share_copy, name="deck_share"),
    path("decks/ours/<slug:copy>/away/", views.delete_copy, name="deck_delete"),
    path("decks/ours/<slug:copy>/deck.json", views.copy_file, name="deck_copy_file"),
    path("decks/<slug:game>/", decks_views.house_deck_page, name="deck"),
    path("decks/<slug:game>/copy/", views.create_copy, name="deck_create_copy"),
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
    path("<table:code>/replay/", results_views.replay_page, name="replay"),
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
