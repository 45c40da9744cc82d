# /campaigns/
from django.urls import include, path

from campaign import (
    atlas_views,
    chart_views,
    correct_views,
    export_views,
    founding_views,
    kingdom_views,
    petition_views,
    roll_off_views,
    season_views,
    share_views,
    table_views,
    views,
    war_views,
)

app_name = "campaign"

# /campaigns/<code>/
campaign_urls = [
    path("", views.page, name="page"),
    path("parts/", views.parts, name="parts"),
    path("card.png", share_views.picture, name="card"),
    path("note/", views.note, name="note"),
    path("rename/", views.rename, name="rename"),
    path("invite/", views.invite, name="invite"),
    path("join/<int:count>/", kingdom_views.kingdoms, name="kingdoms"),
    path("standing/", founding_views.standing, name="standing"),
    path("kingdoms/<slug:kingdom>/", kingdom_views.kingdom, name="kingdom"),
    path("kingdoms/<slug:kingdom>/spend/", kingdom_views.spend, name="spend"),
    path("kingdoms/<slug:kingdom>/looks/", table_views.looks, name="looks"),
    path("kingdoms/<slug:kingdom>/arms/", table_views.arms, name="arms"),
    path("kingdoms/<slug:kingdom>/arms/<int:house>/", table_views.arms, name="house_arms"),
    path("kingdoms/<slug:kingdom>/rule/", table_views.rule, name="rule"),
    path("masters/", table_views.masters, name="masters"),
    path("house-rules/", table_views.house_rules, name="house_rules"),
    path("roll-off/", roll_off_views.roll_off, name="roll_off"),
    path("targets/", war_views.targets, name="targets"),
    path("declare/", war_views.declare, name="declare"),
    path("battles/<int:battle>/call-off/", war_views.call_off, name="call_off"),
    path("result/", war_views.result, name="result"),
    path("petitions/<int:pk>/", petition_views.petition, name="petition"),
    path("petitions/<int:pk>/other/", petition_views.other, name="petition_other"),
    path("agreed/", war_views.agreed, name="agreed"),
    path("won/", war_views.won, name="won"),
    path("season/", season_views.turn, name="season"),
    path("seasons/", season_views.seasons, name="seasons"),
    path("seasons/<int:season>/", season_views.season, name="season_page"),
    path("charts/", chart_views.charts, name="charts"),
    path("export/", export_views.export, name="export"),
    path("export/campaign.json", export_views.export_json, name="export_json"),
    path("export/standings.csv", export_views.standings_csv, name="standings_csv"),
    path("export/entries.csv", export_views.entries_csv, name="entries_csv"),
    path("archive/", export_views.put_in_archive, name="archive"),
    path("delete/", export_views.delete, name="delete"),
    path("atlas/", atlas_views.atlas, name="atlas"),
    path("entries/<int:number>/strike/", correct_views.strike, name="strike"),
    path("entries/<int:number>/amend/", correct_views.amend, name="amend"),
    path("entries/<int:number>/restore/", correct_views.restore, name="restore"),
]

urlpatterns = [
    path("", views.index, name="index"),
    path("found/", founding_views.found, name="found"),
    path("take-in/", export_views.take_in, name="take_in"),
    path("take-in/look/", export_views.arrival, name="arrival"),
    path("<slug:code>/", include(campaign_urls)),
]
