# /rules/
from django.urls import path

from reference import views

app_name = "reference"
urlpatterns = [
    path("", views.index, name="index"),
    path("odds/", views.odds_page, name="odds"),
    path("scenarios/<slug:key>/", views.scenario, name="scenario"),
    path("<slug:key>/", views.chapter, name="chapter"),
]
