# /api/v1/print/
from django.urls import path

from printing import api

urlpatterns = [
    path("", api.PrintsView.as_view()),
    path("is/<slug:fingerprint>/", api.IsCurrentView.as_view()),
    path("<int:pk>/", api.PrintView.as_view()),
]
