"""The job that draws a photo anew."""

from jobs.registry import JobKind, register_kind
from photos import services

register_kind(
    JobKind(
        services.DRAW_JOB,
        "Preparing a photo",
        "photos.draw",
        work="photos.services:draw_photo",
        landed=services.show_drawn_photo,
        seconds=30,
        tries=2,
    )
)
