"""What Schemathesis cannot know of this API, and a check of our own."""

import re

import schemathesis

# The daemon reads 16 KiB of a request's head. The headers of Schemathesis take less than 4 KiB of them.
ADDRESS_BYTES_MIN_REFUSED = 12_000

# Each rule with the members that it concerns, without the path to them.
RULES_BEYOND_SCHEMA = {
    "a duration has bounds, x-minimum and x-maximum": "age debounce delay every expires_in jitter kill_grace max_delay max_wait stability timeout window",
    "times have bounds, x-minimum and x-maximum, and an order, and some must not be past": "at ends_at expires_at from scheduled_for since starts_at until",
    "a name or key must be unique, and a list must not repeat itself": "channel_id key member_names name",
    "a key of an import must name something in it": "group_key parent_key task_key",
    "groups form a tree and chains no cycle": "parent_id target_task_id",
    "one of the two must be true": "on_success",
    "both streams come only as events": "stream",
    "an offset must be within the output": "offset",
    "output starts at one place, and some starts are only for events": "offset since stderr_offset stdout_offset tail",
    "a command cannot be cleared": "command",
    "labels are limited once they are merged": "labels",
    "a text has a grammar of its own": "advertise endpoint expression kinds pattern time_zone",
    "a watcher of a file has no pattern and is not recursive": "kind recursive",
    "a path must be outside the data directory": "path",
    "a certificate needs its key, and an authority a certificate": "certificate key authority",
}
MEMBERS_BEYOND_SCHEMA = {member for members in RULES_BEYOND_SCHEMA.values() for member in members.split()}


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """A request that should be accepted cannot guess a revision or a cursor."""
    # Output that is followed ends with its run. Schemathesis reads only events without waiting for their end.
    if str((case.query or {}).get("follow")).lower() == "true":
        case.headers = {**(case.headers or {}), "Accept": "text/event-stream"}
    if not is_positive(case):
        return
    if case.query:
        case.query.pop("cursor", None)
    # Schemathesis sends some positive cases with a header that it marks as negative.
    is_mixed = any(not part.mode.is_positive for part in case.meta.components.values())
    tag = (case.headers or {}).get("If-Match")
    if tag is not None and (is_mixed or re.fullmatch(r'"\d+"', str(tag))):
        case.headers["If-Match"] = "*"


@schemathesis.check
def refusal_has_a_reason_beyond_the_schema(ctx, response, case):
    """The daemon refuses what the document allows only for a rule that no schema can state."""
    if response.status_code != 400 or not is_positive(case):
        return
    error = response.json()["error"]
    # an item of a list counts as the list
    member = re.sub(r"^.*\.(?=\D)|\.\d+$", "", error["field"] or "")
    assert member in MEMBERS_BEYOND_SCHEMA, (
        f"The document allows this request, but the daemon refuses it: {error['field']}: {error['message']}"
    )


@schemathesis.check
def only_a_large_head_is_too_large(ctx, response, case):
    """The daemon reads every head of usual size."""
    address = len(response.request.url)
    assert response.status_code != 431 or not is_positive(case) or address >= ADDRESS_BYTES_MIN_REFUSED, (
        f"The daemon refuses an address of {address} characters as too large"
    )


def is_positive(case):
    return case.meta is not None and case.meta.generation.mode.is_positive
