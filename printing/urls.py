# /print/
from django.urls import path

from printing import api, views

app_name = "printing"
urlpatterns = [
    path("", views.index, name="index"),
    path("is/<slug:fingerprint>/", views.is_current, name="is_current"),
    path("made/<job:ref>/", views.job_result, name="job_result"),
    path("made/<job:ref>/file/", views.file, name="file"),
    path("made/<job:ref>/<int:page>.png", views.preview, name="preview"),
    path("<slug:sheet>/", views.sheet, name="sheet"),
    path("<slug:sheet>/<slug:subject>/", views.sheet, name="sheet_about"),
]

# /api/v1/print/
api_urlpatterns = [
    path("", api.PrintsView.as_view()),
    path("is/<slug:fingerprint>/", api.IsCurrentView.as_view()),
    path("of/<slug:sheet>/", api.SheetSubjects.as_view()),
    path("<job:ref>/", api.PrintView.as_view()),
    path("<job:ref>/file/", api.PrintFile.as_view()),
    path("<job:ref>/<int:page>.png", api.PrintPreview.as_view()),
]
