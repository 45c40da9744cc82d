from django.apps import AppConfig


class LogConfig(AppConfig):
    name = "log"
    verbose_name = "Logs"
