"""The picture of one conversation: a row per record, when it was written, and what it did to the probe."""

import altair as alt
import polars as pl

from dashboard.charts import BLUE, GREEN, GREY, ORANGE, PICKED, RED, ROW, SKY
from review.trace import Step

MOST_ROWS = 60
"""More records than these make a picture that nobody reads; the table has them all."""
EFFECT_COLOURS = {"got through": GREEN, "tried again": ORANGE, "ended it": RED, "noted": SKY, "told before": GREY}
EFFECTS = {
    "draft_rejected": "tried again",
    "writer_failed": "tried again",
    "template_fallback": "tried again",
    "gate_fired": "tried again",
    "reminder": "tried again",
    "template_used": "got through",
    "post_detected": "got through",
    "gate_passed": "got through",
    "template_failed": "ended it",
    "slots_rejected": "ended it",
    "chosen_without_passages": "ended it",
    "prefetch_failed": "ended it",
    "guardrail_drop": "ended it",
}
"""What a kind of record did; the rest is noted alone. A run's summary says it by its outcome."""


def effect(step: Step) -> str:
    if step.repeats:
        return "told before"
    if step.kind == "summary":
        return "ended it" if step.outcome == "silent" else "got through" if step.outcome else "noted"
    return EFFECTS.get(step.kind, "noted")


def rows(session: str, steps: tuple[Step, ...]) -> pl.DataFrame:
    """The steps as a frame: number and name of the row, time, effect, meaning, text, place, and what picks it."""
    return pl.DataFrame(
        [
            {
                "row": f"{number}  {step.kind.replace('_', ' ')}",
                "time": step.time,
                "effect": effect(step),
                "meaning": step.meaning,
                "text": step.text,
                "file": step.file,
                "line": step.line,
                "session": session,
                "record": str(step.event_id),
            }
            for number, step in enumerate(steps, start=1)
        ],
        schema_overrides={"time": pl.Datetime("us"), "text": pl.String, "file": pl.String},
        infer_schema_length=None,
    )


def time_line(frame: pl.DataFrame) -> alt.LayerChart:
    """The first `MOST_ROWS` dated rows of `rows`, from top to bottom; a mark leads to its record."""
    # As a number: a time without a zone would be read in the zone of the reader's browser.
    shown = frame.filter(pl.col("time").is_not_null()).head(MOST_ROWS)
    shown = shown.with_columns(moment=pl.col("time").dt.epoch("ms"), at=pl.col("time").dt.strftime("%Y-%m-%d %H:%M:%S"))
    order = shown["row"].to_list()
    known = [name for name in EFFECT_COLOURS if name in shown["effect"].to_list()]
    base = alt.Chart(shown.drop("time", "file", "line")).encode(
        x=alt.X(
            "moment:T",
            scale=alt.Scale(type="utc", nice=False, padding=14),
            axis=alt.Axis(title=None, orient="top", format=_format(shown["moment"]), labelOverlap=True, tickCount=8),
        ),
        y=alt.Y("row:N", sort=order, axis=alt.Axis(title=None, labelLimit=220, labelOverlap=False, grid=True)),
    )
    way = base.mark_line(color=BLUE, opacity=0.35, strokeWidth=1.5).encode(order=alt.Order("moment:Q"))
    dots = (
        base.mark_circle(size=150, opacity=1)
        .encode(
            color=alt.Color(
                "effect:N",
                scale=alt.Scale(domain=known, range=[EFFECT_COLOURS[name] for name in known]),
                legend=alt.Legend(orient="top", title=None),
            ),
            tooltip=[alt.Tooltip("at:N", title="time"), alt.Tooltip("meaning:N"), alt.Tooltip("text:N")],
        )
        .add_params(alt.selection_point(name=PICKED, fields=["session", "record"], on="click"))
    )
    picture: alt.LayerChart = (way + dots).properties(
        width="container", height=ROW * max(shown.height, 1) + 60, background="transparent"
    )
    return picture


def _format(moments: pl.Series) -> str:
    """Times of day are enough within a day; the date comes in where a conversation lasts longer."""
    first, last = moments.min(), moments.max()
    lasted = int(last) - int(first) if isinstance(first, int) and isinstance(last, int) else 0
    return "%H:%M:%S" if lasted < 3_600_000 else "%H:%M" if lasted < 86_400_000 else "%d %b %H:%M"
