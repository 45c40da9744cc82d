from django.apps import AppConfig


class PhotosConfig(AppConfig):
    name = "photos"
    verbose_name = "Photos"

    def ready(self) -> None:
        from photos import home_items, personal_data

        home_items.register()
        personal_data.register()
