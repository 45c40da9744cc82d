# /live/
from django.urls import path, register_converter

from live import views


class LogIds:
    """One log's number, or several with commas: one stream for a page that shows several logs."""

    regex = r"[0-9]{1,18}(?:,[0-9]{1,18}){0,19}"

    def to_python(self, value: str) -> tuple[int, ...]:
        return tuple(dict.fromkeys(map(int, value.split(","))))

    def to_url(self, value: object) -> str:
        return ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


register_converter(LogIds, "logs")

app_name = "live"
urlpatterns = [
    path("token/", views.token, name="token"),
    path("<logs:logs>/", views.stream, name="stream"),
]
