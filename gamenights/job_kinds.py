"""Background jobs and timers of game nights."""

from gamenights.notices import occasions, services as notices_services
from gamenights.standings import background_count
from gamenights.transfer import services as transfer_services
from jobs import timers
from jobs.registry import JobKind, register_kind

register_kind(
    JobKind(
        transfer_services.CHECK_JOB,
        "Checking a file of plays",
        "gamenights.check_plays",
        work="gamenights.transfer.services:check_upload",
        is_slow=True,
        landed=transfer_services.save_preview,
        seconds=300,
    )
)
register_kind(
    JobKind(
        transfer_services.IMPORT_JOB,
        "Importing plays",
        "gamenights.import_plays",
        work="gamenights.transfer.services:run_import",
        is_slow=True,
        landed=transfer_services.delete_imported,
        seconds=1800,
        page="gamenights:import_progress",
    )
)
timers.register_timer(transfer_services.EXPIRY_TIMER, transfer_services.delete_old_upload)
register_kind(
    JobKind(
        notices_services.DELIVERIES.name,
        "Sending a notice",
        "gamenights.send_webhook",
        work="gamenights.notices.services:send_delivery",
        landed=notices_services.DELIVERIES.record_attempt,
        seconds=60,
        tries=2,
    )
)
timers.register_timer(notices_services.DELIVERIES.name, notices_services.DELIVERIES.try_again)
register_kind(
    JobKind(
        notices_services.PERSONAL.name,
        "Sending a notice",
        "gamenights.send_notice",
        work="gamenights.notices.services:send_notice",
        landed=notices_services.PERSONAL.record_attempt,
        seconds=60,
        tries=2,
    )
)
timers.register_timer(notices_services.PERSONAL.name, notices_services.PERSONAL.try_again)
register_kind(
    JobKind(
        occasions.SCAN_JOB,
        "Finding what is waiting for people",
        "gamenights.find_occasions",
        work="gamenights.notices.occasions:scan",
        is_slow=True,
        seconds=300,
    )
)
timers.register_timer(occasions.SCAN_TIMER, occasions.order_scan, again=lambda now: now + occasions.EVERY)
register_kind(
    JobKind(
        background_count.COUNT_JOB,
        "Counting standings",
        "gamenights.count_standings",
        work="gamenights.standings.services:count_in_background",
        seconds=120,
    )
)
timers.register_timer(background_count.COUNT_TIMER, background_count.start_job)
