# /tables/
from django.urls import include, path

import cardgames.addresses  # noqa: F401  (what a table's code looks like)
from cardgames import result_views, seat_views, views

app_name = "cardgames"
urlpatterns = [
    path("", views.index, name="index"),
    path("host/<slug:game>/", views.host, name="host"),
    path("join/", views.join, name="join"),
    path("results/", result_views.results, name="results"),
    path("", include("cardgames.side_urls")),
    path("<table:code>/", views.table, name="table"),
    path("<table:code>/around/", views.around, name="around"),
    path("<table:code>/around/part/", views.around_part, name="around_part"),
    path("<table:code>/part/", views.part, name="part"),
    path("<table:code>/wall/", views.wall, name="wall"),
    path("<table:code>/wall/part/", views.wall_part, name="wall_part"),
    path("<table:code>/sit/", seat_views.sit, name="sit"),
    path("<table:code>/run/", views.run, name="run"),
    path("<table:code>/replay/", result_views.replay, name="replay"),
    path("<table:code>/seats/<int:number>/", seat_views.seat, name="seat"),
    path("<table:code>/seats/<int:number>/part/", seat_views.part, name="seat_part"),
    path("<table:code>/seats/<int:number>/choose/", seat_views.choose, name="choose"),
    path("<table:code>/seats/<int:number>/show/", seat_views.show, name="show"),
    path("<table:code>/seats/<int:number>/own/", seat_views.own, name="own"),
    path("<table:code>/seats/<int:number>/link/", seat_views.link, name="link"),
    path("<table:code>/seats/<int:number>/claim/", seat_views.claim, name="claim"),
    path("<table:code>/seats/<int:number>/run/", seat_views.run, name="run_seat"),
]
