from django.apps import AppConfig


class PhotosConfig(AppConfig):
    name = "photos"
    verbose_name = "Photos"

    def ready(self) -> None:
        from photos import display, services

        display.register_home_items()
        services.register_personal_data()
