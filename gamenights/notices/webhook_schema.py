"""What a group's webhook receives, for the API's schema."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiWebhook, extend_schema
from rest_framework import serializers

from gamenights.notices.core.notice_formats import SIGNATURE_HEADER
from gamenights.notices.core.webhook_post import RETRY_DELAYS


class NoticeFieldSerializer(serializers.Serializer):
    name = serializers.CharField()
    value = serializers.CharField()
    inline = serializers.BooleanField()


class NoticeEmbedSerializer(serializers.Serializer):
    title = serializers.CharField()
    description = serializers.CharField()
    timestamp = serializers.DateTimeField()
    fields = NoticeFieldSerializer(many=True)
    url = serializers.CharField(required=False)


class MentionsSerializer(serializers.Serializer):
    parse = serializers.ListField(child=serializers.CharField(), help_text="always empty: nobody is mentioned")


class WebhookNoticeSerializer(serializers.Serializer):
    """A notice in the form that Discord and many programs read."""

    username = serializers.CharField(help_text="the group")
    content = serializers.CharField(help_text="the title")
    embeds = NoticeEmbedSerializer(many=True)
    allowed_mentions = MentionsSerializer()


SIGNED = (
    f"The header {SIGNATURE_HEADER} is `t=…,v1=…`: the time in seconds, and the HMAC-SHA256 of that time, a full stop "
    "and the body, with the secret of the webhook. Any 2xx counts as delivered. Otherwise the same body is sent again "
    f"after {RETRY_DELAYS[0] // 60} minute, then later and later, {len(RETRY_DELAYS)} times."
)

group_notice = OpenApiWebhook(
    name="group_notice",
    decorator=extend_schema(
        summary="News of a group",
        description=f"Sent to the webhooks of a group. {SIGNED} Make and remove them at `groups/{{code}}/webhooks/`.",
        tags=["webhooks"],
        request=WebhookNoticeSerializer,
        responses={"2XX": None},
    ),
)
personal_notice = OpenApiWebhook(
    name="personal_notice",
    decorator=extend_schema(
        summary="What you want to hear about",
        description=f"Sent to the webhook of your own. {SIGNED} Choose it at `me/notices/`.",
        tags=["webhooks"],
        request=WebhookNoticeSerializer,
        responses={"2XX": None},
    ),
)
