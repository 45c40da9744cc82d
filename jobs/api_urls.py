# /api/v1/jobs/
from django.urls import path

from jobs import api

urlpatterns = [
    path("", api.Jobs.as_view()),
    path("<int:pk>/", api.JobDetail.as_view()),
    path("<int:pk>/cancel/", api.Cancel.as_view()),
    path("<int:pk>/retry/", api.Retry.as_view()),
]
