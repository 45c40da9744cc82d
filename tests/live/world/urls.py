from django.urls import include, path

from tests.live.world import views

urlpatterns = [
    path("healthz", views.healthz),
    path("live/", include("live.urls")),
    path("", include(([path("log-in/", views.log_in, name="log_in")], "people"))),
    path("log-out/", views.log_out, name="log_out"),
    path("<int:log_id>/", views.page, name="page"),
    path("<int:log_id>/lines/", views.lines, name="lines"),
    path("<int:log_id>/write/", views.write, name="write"),
    path("<int:log_id>/go/", views.go, name="go"),
    path("<int:log_id>/elsewhere/", views.elsewhere, name="elsewhere"),
]
