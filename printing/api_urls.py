# /api/v1/print/
from django.urls import path

from printing import api

urlpatterns = [
    path("", api.PrintsView.as_view()),
    path("is/<slug:fingerprint>/", api.IsCurrentView.as_view()),
    path("of/<slug:sheet>/", api.SheetSubjects.as_view()),
    path("<job:ref>/", api.PrintView.as_view()),
    path("<job:ref>/file/", api.PrintFile.as_view()),
    path("<job:ref>/<int:page>.png", api.PrintPreview.as_view()),
]
