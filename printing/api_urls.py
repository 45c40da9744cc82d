# /api/v1/print/
from django.urls import path

from printing import api

urlpatterns = [
    path("", api.Prints.as_view()),
    path("is/<slug:fingerprint>/", api.Current.as_view()),
    path("<int:pk>/", api.PrintDetail.as_view()),
]
