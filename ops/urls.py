# /
from django.urls import path

from ops import api, health, metrics_endpoint, views

app_name = "ops"
urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics_endpoint.metrics, name="metrics"),
    path("ops/", views.page, name="page"),
    path("ops/backup/", views.make_backup, name="make_backup"),
    path("ops/tidy/", views.clean_up, name="tidy"),
    path("ops/copies/<str:name>", views.download_copy, name="copy"),
]

# /api/v1/site/
api_urlpatterns = [
    path("", api.Site.as_view()),
    path("backup/", api.MakeBackup.as_view()),
    path("tidy/", api.CleanUp.as_view()),
    path("copies/<str:name>", api.Copy.as_view()),
]
