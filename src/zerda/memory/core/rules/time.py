"""Times: aware, in UTC, and never a float."""

from datetime import UTC, datetime, timedelta

from ...errors import InvalidInput

_BEGINNING = datetime.min.replace(tzinfo=UTC)


def in_utc(value: object, what: str) -> datetime:
    """The moment in UTC; `InvalidInput` where it is no aware datetime or UTC cannot hold it."""
    if not isinstance(value, datetime):
        raise InvalidInput(f"{what} is {value!r}; it is a datetime with a time zone")
    if value.utcoffset() is None:
        raise InvalidInput(f"{what} is {value.isoformat()}, without a zone; add one, such as datetime.UTC")
    try:
        return value.astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise InvalidInput(f"{what} is {value.isoformat()}; UTC holds years 1 to 9999") from error


def before(now: datetime, span: timedelta) -> datetime:
    """The moment a span before; the beginning of time where it would lie before that."""
    return now - span if now - _BEGINNING > span else _BEGINNING


def new_session(last: datetime | None, at: datetime, gap: timedelta) -> bool:
    """Whether an entry without a session begins a new one: it is the first, or a pause lies between."""
    return last is None or abs(at - last) > gap
