# /api/v1/jobs/
from django.urls import path

from jobs import api

urlpatterns = [
    path("", api.JobList.as_view()),
    path("<job:ref>/", api.JobDetail.as_view()),
    path("<job:ref>/file/", api.JobFile.as_view()),
    path("<job:ref>/cancel/", api.CancelJob.as_view()),
    path("<job:ref>/retry/", api.RetryJob.as_view()),
]
