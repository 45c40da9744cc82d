# /jobs/
from django.urls import path

from jobs import views

app_name = "jobs"
urlpatterns = [
    path("", views.index, name="index"),
    path("<int:pk>/", views.page, name="job"),
    path("<int:pk>/row/", views.row, name="row"),
    path("<int:pk>/cancel/", views.cancel, name="cancel"),
    path("<int:pk>/retry/", views.retry, name="retry"),
    path("<int:pk>/file/", views.file, name="file"),
]
