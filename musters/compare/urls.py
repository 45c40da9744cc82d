# /musters/compare/
from django.urls import path

from musters.compare import views

urlpatterns = [
    path("", views.compare, name="compare"),
    path("fresh/", views.compare_new_armies, name="compare_new"),
    path("<slug:campaign>/<int:battle>/", views.compare_battle_armies, name="compare_battle"),
]
