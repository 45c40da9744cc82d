# /api/v1/
from django.urls import path

from home import api

urlpatterns = [
    path("your-move/", api.YourMove.as_view()),
    path("evenings/", api.EveningList.as_view()),
]
