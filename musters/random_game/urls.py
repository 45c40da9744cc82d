# /musters/evening/
from django.urls import path

from musters.random_game import views

urlpatterns = [
    path("", views.random_game, name="random_game"),
    path("fresh/", views.new_random_game, name="random_game_new"),
    path("ground.svg", views.download_table, name="random_game_table"),
]
