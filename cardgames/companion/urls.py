# /tables/: beside the tables. How to play, decks, and companions for printed cards.
from django.urls import path

from cardgames import companion_views as companion
from cardgames import deck_views as decks
from cardgames import howto_views, role_views

urlpatterns = [
    path("how/<slug:game>/", howto_views.howto, name="howto"),
    path("decks/", decks.index, name="decks"),
    path("decks/take-in/", decks.take_in, name="deck_take_in"),
    path("decks/ours/<slug:copy>/", decks.copy_page, name="deck_copy"),
    path("decks/ours/<slug:copy>/edit/", decks.edit, name="deck_edit"),
    path("decks/ours/<slug:copy>/open/", decks.share, name="deck_share"),
    path("decks/ours/<slug:copy>/away/", decks.put_away, name="deck_away"),
    path("decks/ours/<slug:copy>/deck.json", decks.copy_file, name="deck_copy_file"),
    path("decks/<slug:game>/", decks.deck, name="deck"),
    path("decks/<slug:game>/copy/", decks.copy, name="deck_make"),
    path("decks/<slug:game>/deck.json", decks.file, name="deck_file"),
    path("companion/<slug:game>/", companion.start, name="companion"),
    path("companion/<slug:game>/begin/", companion.begin, name="companion_begin"),
    path("sheets/<slug:sheet>/", companion.page, name="sheet"),
    path("sheets/<slug:sheet>/parts/", companion.parts, name="sheet_parts"),
    path("sheets/<slug:sheet>/turn/", companion.turn, name="sheet_turn"),
    path("sheets/<slug:sheet>/scores/", companion.scores, name="sheet_scores"),
    path("sheets/<slug:sheet>/names/", companion.names, name="sheet_names"),
    path("sheets/<slug:sheet>/keep/", companion.keep, name="sheet_keep"),
    path("sheets/<slug:sheet>/roles/", role_views.deal, name="sheet_deal"),
    path("sheets/<slug:sheet>/roles/<int:place>/", role_views.role, name="sheet_role"),
    path("sheets/<slug:sheet>/roles/<int:place>/take/", role_views.take, name="sheet_take"),
    path("sheets/<slug:sheet>/roles/<int:place>/seen/", role_views.seen, name="sheet_seen"),
    path("sheets/<slug:sheet>/roles/open/", role_views.lay_open, name="sheet_open"),
]
