# /tables/
from django.urls import include, path

import cardgames.tables.url_converters  # noqa: F401  (registers the "table" converter)
from cardgames.results import views as results_views
from cardgames.tables import views as tables_views
from cardgames.tables.seats import views as seats_views

app_name = "cardgames"
urlpatterns = [
    path("", tables_views.index, name="index"),
    path("host/<slug:game>/", tables_views.host_table, name="host"),
    path("join/", tables_views.join_table, name="join"),
    path("results/", results_views.result_list, name="results"),
    path("", include("cardgames.companion.urls")),
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
