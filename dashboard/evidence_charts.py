"""The pictures of checks beside each other and over time: pure functions from a frame to a chart (see charts.py)."""

import altair as alt
import polars as pl

from dashboard.charts import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, ROW, SKY, AnyChart, picking

LAST_PART = "slice(datum.label, lastindexof(datum.label, '.') + 1)"
"""Of a check's id its last part: the family stands above the chart."""
REACHED, UNKNOWN = "reached", "a reason that is not in the catalog"
STOPPERS = (ORANGE, PURPLE, RED, SKY, "#b8a046", "#a58b73", "#6f7bc8")


def _finish(chart: AnyChart, height: int) -> AnyChart:
    return chart.properties(width="container", height=height, background="transparent")


def overlap(pairs: pl.DataFrame) -> AnyChart:
    """What part of the fires of one check (a row) are also fires of another (a column): the frame of `overlaps`."""
    frame = pairs.with_columns(shown=(pl.col("share") * 100).round(0).cast(pl.Int64))
    names = sorted(set(frame["check_a"]) | set(frame["check_b"]))
    base = alt.Chart(frame).encode(
        x=alt.X(
            "check_b:N",
            scale=alt.Scale(domain=names),
            axis=alt.Axis(
                title=None, orient="top", labelAngle=-40, labelExpr=LAST_PART, labelLimit=170, labelOverlap=False
            ),
        ),
        y=alt.Y(
            "check_a:N",
            scale=alt.Scale(domain=names),
            axis=alt.Axis(title=None, labelExpr=LAST_PART, labelLimit=200, labelOverlap=False, labelFlush=False),
        ),
        tooltip=[
            alt.Tooltip("check_a:N", title="of the fires of"),
            alt.Tooltip("check_b:N", title="also of"),
            alt.Tooltip("together:Q"),
            alt.Tooltip("fires_a:Q", title="out of"),
            alt.Tooltip("share:Q", format=".1%"),
        ],
    )
    cells = base.mark_rect(color=BLUE, cornerRadius=2).encode(
        opacity=alt.Opacity("share:Q", scale=alt.Scale(domain=[0, 1], range=[0.08, 0.75]), legend=None)
    )
    return _finish(cells + base.mark_text(fontSize=11).encode(text="shown:Q"), ROW * len(names) + 130)


def reach(stopped: pl.DataFrame) -> AnyChart:
    """How far the items of one first-match family came (shadowing.sql): reached, or stopped before by which check."""
    order = stopped.sort("order")["check_id"].unique(maintain_order=True).to_list()
    pieces = pl.concat(
        [
            stopped.group_by("check_id", "family_evaluated", maintain_order=True).agg(
                what=pl.lit(REACHED), items=pl.col("reached").first()
            ),
            stopped.filter(pl.col("stopped") > 0).select(
                "check_id", "family_evaluated", what=pl.coalesce("stopped_by", pl.lit(UNKNOWN)), items="stopped"
            ),
        ]
    )
    stoppers = [name for name in order if name in set(pieces["what"])]
    domain = [REACHED, *stoppers, *([UNKNOWN] if UNKNOWN in set(pieces["what"]) else [])]
    colours = [GREEN, *(STOPPERS[place % len(STOPPERS)] for place in range(len(stoppers))), GREY]
    chart: AnyChart = (
        alt.Chart(
            pieces.with_columns(place=pl.col("what").replace_strict(domain, range(len(domain)), return_dtype=pl.Int64))
        )
        .mark_bar()
        .encode(
            y=alt.Y(
                "check_id:N",
                sort=order,
                axis=alt.Axis(title=None, labelExpr=LAST_PART, labelLimit=220, labelOverlap=False, labelFlush=False),
            ),
            x=alt.X(
                "items:Q",
                stack="normalize",
                axis=alt.Axis(title="share of the items", format="%", values=[0, 0.25, 0.5, 0.75, 1]),
            ),
            color=alt.Color(
                "what:N",
                scale=alt.Scale(domain=domain, range=colours[: len(domain)]),
                legend=alt.Legend(
                    orient="top",
                    title=None,
                    labelLimit=280,
                    labelExpr=LAST_PART,
                    columns=alt.ExprRef("max(1, floor(containerSize()[0] / 240))"),
                ),
            ),
            order=alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("check_id:N", title="check"),
                alt.Tooltip("what:N", title="reached, or stopped by"),
                alt.Tooltip("items:Q"),
                alt.Tooltip("family_evaluated:Q", title="of"),
            ],
        )
    )
    # The legend's height is that of its lines, which only the browser knows: the bars keep theirs.
    return chart.properties(width="container", height=alt.Step(ROW), background="transparent")


def trend(weeks: pl.DataFrame) -> AnyChart:
    """Fires of one check per week, each bar with what it is out of above it; pale where the week is thin (`weekly`).

    A week is picked by its whole height, so that one without a fire can be followed too.
    """
    picked = picking("week_of")
    # Above the highest bar there must be room for its words.
    room = max(1, *weeks["fires"].to_list()) * 1.15
    frame = weeks.with_columns(
        room=pl.lit(room),
        week_of=pl.col("week").cast(pl.String),
        out_of=pl.when(pl.col("evaluated").is_null())
        .then(pl.format("{} of unknown", "fires"))
        .otherwise(pl.format("{} of {}", "fires", pl.col("evaluated").fill_null(0))),
        said=pl.when("thin")
        .then(pl.lit("thin: too few evaluations to say much"))
        .otherwise(pl.lit("enough evaluations")),
    )
    base = alt.Chart(frame).encode(
        x=alt.X("week_of:O", axis=alt.Axis(title="week of", labelAngle=0, labelOverlap=True)),
        y=alt.Y("fires:Q", axis=alt.Axis(title="fires", tickMinStep=1, format="~s"), scale=alt.Scale(domain=[0, room])),
        tooltip=[
            alt.Tooltip("week_of:N", title="week of"),
            alt.Tooltip("fires:Q"),
            alt.Tooltip("evaluated:Q"),
            alt.Tooltip("fired_sessions:Q", title="conversations with a fire"),
            alt.Tooltip("sessions:Q", title="of conversations"),
            alt.Tooltip("days:Q", title="days with evaluations"),
            alt.Tooltip("said:N", title="evidence"),
        ],
    )
    bars = base.mark_bar(color=BLUE).encode(
        opacity=alt.condition("datum.thin", alt.value(0.35), alt.value(1.0)),
    )
    whole = base.mark_bar(color=BLUE, opacity=0, cursor="pointer").encode(y=alt.Y("room:Q"))
    return _finish(bars + base.mark_text(dy=-8, fontSize=11).encode(text="out_of:N") + whole.add_params(picked), 220)
