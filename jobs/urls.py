# /jobs/
from django.urls import path

from jobs import views

app_name = "jobs"
urlpatterns = [
    path("", views.index, name="index"),
    path("<job:ref>/", views.page, name="job"),
    path("<job:ref>/row/", views.row, name="row"),
    path("<job:ref>/cancel/", views.cancel, name="cancel"),
    path("<job:ref>/retry/", views.retry, name="retry"),
    path("<job:ref>/file/", views.file, name="file"),
]
