# /api/v1/jobs/
from django.urls import path

from jobs import api

urlpatterns = [
    path("", api.JobList.as_view()),
    path("<int:pk>/", api.JobDetail.as_view()),
    path("<int:pk>/cancel/", api.CancelJob.as_view()),
    path("<int:pk>/retry/", api.RetryJob.as_view()),
]
