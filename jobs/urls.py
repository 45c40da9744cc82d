# /jobs/
from django.urls import path

from jobs import api, views

app_name = "jobs"
urlpatterns = [
    path("", views.index, name="index"),
    path("<job:ref>/", views.page, name="job"),
    path("<job:ref>/row/", views.row, name="row"),
    path("<job:ref>/cancel/", views.cancel, name="cancel"),
    path("<job:ref>/retry/", views.retry, name="retry"),
    path("<job:ref>/file/", views.file, name="file"),
]

# /api/v1/jobs/
api_urlpatterns = [
    path("", api.JobList.as_view()),
    path("<job:ref>/", api.JobDetail.as_view()),
    path("<job:ref>/file/", api.JobFile.as_view()),
    path("<job:ref>/cancel/", api.CancelJob.as_view()),
    path("<job:ref>/retry/", api.RetryJob.as_view()),
]
