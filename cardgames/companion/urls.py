# /tables/: how to play, decks, and the companion for printed cards
from django.urls import path

from cardgames.companion import hidden_role_views
from cardgames.companion import views as companion
from cardgames.decks import copy_views as deck_copy_views
from cardgames.decks import views as decks
from cardgames.how_to_play import views as how_to_play_views

urlpatterns = [
    path("how/<slug:game>/", how_to_play_views.how_to_play_page, name="how_to_play"),
    path("decks/", decks.deck_list, name="decks"),
    path("decks/take-in/", deck_copy_views.import_deck, name="deck_import"),
    path("decks/ours/<slug:copy>/", deck_copy_views.copy_page, name="deck_copy"),
    path("decks/ours/<slug:copy>/edit/", deck_copy_views.edit_copy, name="deck_edit"),
    path("decks/ours/<slug:copy>/open/", deck_copy_views.share_copy, name="deck_share"),
    path("decks/ours/<slug:copy>/away/", deck_copy_views.delete_copy, name="deck_delete"),
    path("decks/ours/<slug:copy>/deck.json", deck_copy_views.copy_file, name="deck_copy_file"),
    path("decks/<slug:game>/", decks.house_deck_page, name="deck"),
    path("decks/<slug:game>/copy/", deck_copy_views.create_copy, name="deck_create_copy"),
    path("decks/<slug:game>/deck.json", decks.house_deck_file, name="deck_file"),
    path("companion/<slug:game>/", companion.companion_page, name="companion"),
    path("companion/<slug:game>/begin/", companion.create_sheet, name="sheet_create"),
    path("sheets/<slug:sheet>/", companion.sheet_page, name="sheet"),
    path("sheets/<slug:sheet>/parts/", companion.sheet_parts, name="sheet_parts"),
    path("sheets/<slug:sheet>/turn/", companion.change_turn, name="sheet_turn"),
    path("sheets/<slug:sheet>/scores/", companion.enter_scores, name="sheet_scores"),
    path("sheets/<slug:sheet>/names/", companion.rename_seats, name="sheet_names"),
    path("sheets/<slug:sheet>/keep/", companion.save_result, name="sheet_save_result"),
    path("sheets/<slug:sheet>/again/", companion.play_again, name="sheet_again"),
    path("sheets/<slug:sheet>/roles/", hidden_role_views.deal_roles, name="sheet_deal_roles"),
    path("sheets/<slug:sheet>/roles/<int:place>/", hidden_role_views.role_page, name="sheet_role"),
    path("sheets/<slug:sheet>/roles/<int:place>/take/", hidden_role_views.take_role, name="sheet_take_role"),
    path("sheets/<slug:sheet>/roles/<int:place>/seen/", hidden_role_views.cover_role, name="sheet_cover_role"),
    path("sheets/<slug:sheet>/roles/open/", hidden_role_views.reveal_roles, name="sheet_reveal_roles"),
]
