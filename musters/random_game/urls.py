# /musters/evening/
from django.urls import path

from musters import evening_views

urlpatterns = [
    path("", evening_views.show, name="evening"),
    path("fresh/", evening_views.fresh, name="evening_fresh"),
    path("ground.svg", evening_views.ground, name="evening_ground"),
]
