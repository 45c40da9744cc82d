# /api/v1/site/
from django.urls import path

from ops import api

urlpatterns = [
    path("", api.Site.as_view()),
    path("backup/", api.MakeBackup.as_view()),
    path("tidy/", api.CleanUp.as_view()),
    path("copies/<str:name>", api.Copy.as_view()),
]
