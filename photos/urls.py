# /photos/
from django.urls import path

from photos import api, views

app_name = "photos"
urlpatterns = [
    path("<slug:code>.jpg", views.photo, name="photo"),
    path("<slug:code>/small.jpg", views.small_photo, name="small_photo"),
    path("<slug:code>/status/", views.photo_status, name="photo_status"),
    path("<slug:code>/run/", views.manage_photo, name="manage_photo"),
]

# /api/v1/photos/
api_urlpatterns = [
    path("<slug:code>/", api.PhotoDetail.as_view()),
]
