"""The pictures of probe answers: pure functions from a frame to an Altair chart, by the rules of `charts.py`."""

import altair as alt
import polars as pl

from dashboard.charts import BLUE, GREY, LEGEND_ON_TOP, ORANGE, PICKED, RED, ROW, SKY, AnyChart

OUTCOME_COLOURS = {"read": BLUE, "unread": RED, "na": GREY, "text": SKY}
MOVED_COLOURS = {"up": ORANGE, "same": GREY, "down": BLUE}
WIDEST_SCALE = 40
"""Values that a picture has room for; a wider scale shows only those that were given."""


def values(frame: pl.DataFrame) -> AnyChart:
    """How often each number was given at each point (`point`, `place`, `value`, `answers`, `of_answers`, `lo`, `hi`)."""
    picked = _picking("point", "value")
    frame = frame.with_columns(share=pl.col("answers") / pl.col("of_answers"))
    points = in_order(frame, "point", "place")
    base = alt.Chart(frame).encode(
        x=alt.X(
            "value:O", scale=alt.Scale(domain=_scale(frame)), axis=alt.Axis(title="value", orient="top", labelAngle=0)
        ),
        y=alt.Y("point:N", sort=points, axis=alt.Axis(title=None, labelLimit=200, labelFlush=False)),
        tooltip=[
            alt.Tooltip("point:N"),
            alt.Tooltip("value:O"),
            alt.Tooltip("answers:Q"),
            alt.Tooltip("share:Q", title="of the answers there", format=".0%"),
        ],
    )
    cells = base.mark_rect(color=BLUE, cornerRadius=2).encode(
        opacity=alt.Opacity("share:Q", scale=alt.Scale(domain=[0, 1], range=[0.08, 0.95]), legend=None)
    )
    picture = cells.add_params(picked) + base.mark_text(fontSize=11).encode(text="answers:Q")
    return _finish(picture, (ROW + 8) * len(points) + 50)


def attempts(frame: pl.DataFrame) -> AnyChart:
    """Answers by the number of calls and by what became of them (`attempts`, `outcome`, `runs`)."""
    known = [outcome for outcome in OUTCOME_COLOURS if outcome in frame["outcome"]]
    colours = alt.Scale(domain=known, range=[OUTCOME_COLOURS[outcome] for outcome in known])
    chart = (
        alt.Chart(frame)
        .mark_bar()
        .encode(
            x=alt.X("attempts:O", axis=alt.Axis(title="calls for one answer", labelAngle=0)),
            y=alt.Y("runs:Q", axis=alt.Axis(title="answers", tickMinStep=1, format="~s")),
            color=alt.Color("outcome:N", scale=colours, legend=LEGEND_ON_TOP),
            tooltip=[
                alt.Tooltip("attempts:O", title="calls"),
                alt.Tooltip("outcome:N"),
                alt.Tooltip("runs:Q", title="answers"),
            ],
        )
        .add_params(_picking("attempts", "outcome"))
    )
    return _finish(chart, 260)


def unread(frame: pl.DataFrame) -> AnyChart:
    """How many answers of each participant have no value, at each point (`participant`, `point`, `place`, `without`)."""
    base = alt.Chart(frame).encode(
        x=alt.X(
            "point:N", sort=in_order(frame, "point", "place"), axis=alt.Axis(title=None, orient="top", labelAngle=0)
        ),
        y=alt.Y("participant:N", axis=alt.Axis(title=None, labelLimit=200, labelFlush=False)),
        tooltip=[
            alt.Tooltip("participant:N"),
            alt.Tooltip("point:N"),
            alt.Tooltip("unread:Q"),
            alt.Tooltip("na:Q", title="no answer"),
            alt.Tooltip("answers:Q", title="of answers"),
        ],
    )
    cells = base.mark_rect(color=RED, cornerRadius=2).encode(
        opacity=alt.Opacity("without:Q", scale=alt.Scale(range=[0.15, 0.75], domainMin=0), legend=None)
    )
    picture = cells.add_params(_picking("participant", "point")) + base.mark_text(fontSize=11).encode(text="without:Q")
    return _finish(picture, ROW * frame["participant"].n_unique() + 50)


def slopes(moves: pl.DataFrame, first: str, second: str) -> AnyChart:
    """Positions before and after (`from_value`, `to_value`, `participants`, `moved`): a line for each pair of values, the
    wider the more participants moved that way."""
    sides = ((first, "from_value"), (second, "to_value"))
    ends = pl.concat([moves.with_columns(point=pl.lit(point), position=pl.col(value)) for point, value in sides])
    ends = ends.with_columns(way=pl.format("{} to {}", "from_value", "to_value"))
    colours = alt.Scale(domain=list(MOVED_COLOURS), range=list(MOVED_COLOURS.values()))
    base = alt.Chart(ends).encode(
        x=alt.X("point:N", sort=[first, second], scale=alt.Scale(padding=0.2), axis=alt.Axis(title=None, labelAngle=0)),
        y=alt.Y(
            "position:Q",
            scale=alt.Scale(zero=False, nice=False, padding=12),
            axis=alt.Axis(title="value", tickMinStep=1, format="d"),
        ),
        color=alt.Color("moved:N", scale=colours, legend=LEGEND_ON_TOP),
        tooltip=[alt.Tooltip("way:N", title="from"), alt.Tooltip("participants:Q")],
    )
    widths = alt.StrokeWidth("participants:Q", scale=alt.Scale(range=[1.5, 9], domainMin=1), legend=None)
    lines = base.mark_line(opacity=0.65, strokeCap="round").encode(detail="way:N", strokeWidth=widths)
    dots = base.mark_circle(size=70, opacity=1, color=GREY).encode(color=alt.value(GREY))
    return _finish(lines + dots, 340)


def moves(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of probe_change.sql for one pair of points as `slopes` takes them; those without a change are left out."""
    change = pl.col("to_value") - pl.col("from_value")
    moved = pl.when(change > 0).then(pl.lit("up")).when(change < 0).then(pl.lit("down")).otherwise(pl.lit("same"))
    return (
        frame.drop_nulls("change")
        .group_by("from_value", "to_value")
        .agg(participants=pl.len())
        .with_columns(moved=moved)
        .sort("from_value", "to_value")
    )


def without_value(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of probe_unread.sql as `unread` takes them: those with an answer that has no value, over all sessions."""
    found = frame.filter(pl.col("unread") + pl.col("na") > 0).group_by("participant", "point", "place")
    return found.agg(pl.col("unread", "na", "answers").sum()).with_columns(without=pl.col("unread") + pl.col("na"))


def in_order(frame: pl.DataFrame, name: str, place: str) -> list[str]:
    """The names in the order of their places."""
    found: list[str] = frame.select(name, place).unique().sort(place, name)[name].unique(maintain_order=True).to_list()
    return found


def _scale(frame: pl.DataFrame) -> list[int]:
    lo = min(value for value in (frame["lo"].min(), frame["value"].min()) if isinstance(value, int))
    hi = max(value for value in (frame["hi"].max(), frame["value"].max()) if isinstance(value, int))
    given: list[int] = frame["value"].unique().sort().to_list()
    return list(range(lo, hi + 1)) if hi - lo < WIDEST_SCALE else given


def _picking(*fields: str) -> alt.Parameter:
    return alt.selection_point(name=PICKED, fields=list(fields), on="click")


def _finish(chart: AnyChart, height: int) -> AnyChart:
    return chart.properties(width="container", height=height, background="transparent")
