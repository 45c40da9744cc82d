"""Background jobs and timers of a campaign."""

from campaign.approvals import services as approvals_services
from campaign.approvals.versions_and_votes import FINALISE_TIMER
from campaign.transfer import import_uploads
from jobs import timers
from jobs.registry import JobKind, register_kind

register_kind(
    JobKind(
        import_uploads.CHECK_JOB,
        "Checking a campaign file",
        "campaign.check_file",
        work="campaign.transfer.import_uploads:check_upload",
        is_slow=True,
        seconds=600,
    )
)
timers.register_timer(import_uploads.EXPIRY_TIMER, import_uploads.delete_old_uploads)
timers.register_timer(FINALISE_TIMER, approvals_services.finalise_due)
