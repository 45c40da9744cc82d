# /
from django.urls import path

from home import views

app_name = "home"
urlpatterns = [
    path("", views.home, name="home"),
    path("how-it-goes/", views.how_it_goes, name="how_it_goes"),
    path("nights/", views.past_evenings, name="nights"),
]
