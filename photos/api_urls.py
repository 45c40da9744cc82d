# /api/v1/photos/
from django.urls import path

from photos import api

urlpatterns = [
    path("<slug:code>/", api.PhotoDetail.as_view()),
]
