# /print/
from django.urls import path

from printing import views

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
