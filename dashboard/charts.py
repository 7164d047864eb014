"""The pictures: pure functions from a frame to an Altair chart.

Each chart is as wide as its container, has no background of its own and names no colour for text, grid or axes, so
that the page's light or dark theme shows through. Shades are opacities of one colour for the same reason. The colours
are told apart by colour-blind readers and stand out on both backgrounds. What was logged reaches a chart as data alone:
never as a title, a field name or a tooltip's markup.

A chart whose marks can be followed to their records holds a selection named `PICKED`; its fields are columns of the
frame.
"""

import datetime as dt

import altair as alt
import polars as pl

AnyChart = alt.Chart | alt.LayerChart
PICKED = "picked"
BLUE, ORANGE, GREEN, PURPLE, RED, SKY, GREY = (
    "#3a7fc1",
    "#d98200",
    "#1f9e77",
    "#9b72cf",
    "#d1495b",
    "#4fa3d9",
    "#7d8a90",
)
VERDICT_COLOURS = {
    "candidate": RED,
    "strict": ORANGE,
    "redundant": PURPLE,
    "quiet": SKY,
    "shadowed": BLUE,
    "thin": "#b8a046",
    "no_evidence": GREY,
    "fires": GREEN,
    "retired": "#a58b73",
}
OUTCOME_COLOURS = {"posted-writer": BLUE, "posted-template": ORANGE, "silent": GREY}
SEVERITY_COLOURS = {"high": RED, "medium": ORANGE, "low": SKY}
LEGEND_ON_TOP = alt.Legend(
    orient="top",
    title=None,
    offset=6,
    padding=0,
    columns=alt.ExprRef("max(1, floor((containerSize()[0] - 200) / 130))"),
)
"""A legend above a chart, in as many columns as fit beside the names of its rows."""
ROW, AXIS, LEGEND = 24, 70, 36
"""Heights in pixels: of one horizontal bar, of the axis below, of the legend above. A chart's height holds all three."""


def _palette(frame: pl.DataFrame, column: str, colours: dict[str, str]) -> alt.Scale:
    """A scale that gives known values their colour, and grey to what only the logs know."""
    values = [value for value in frame[column].unique().sort().to_list() if value is not None]
    known = [value for value in colours if value in values]
    other = [value for value in values if value not in colours]
    return alt.Scale(domain=known + other, range=[colours[value] for value in known] + [GREY] * len(other))


def picking(*fields: str) -> alt.Parameter:
    return alt.selection_point(name=PICKED, fields=list(fields), on="click")


def _finish(chart: AnyChart, height: int) -> AnyChart:
    return chart.properties(width="container", height=height, background="transparent")


def names_axis(title: str | None = None) -> alt.Axis:
    """An axis of names as they were logged: cut where they are long, shown whole in the tooltip."""
    return alt.Axis(title=title, labelLimit=300, labelOverlap=False, labelFlush=False)


def _heads(*, slanted: bool) -> alt.Axis:
    """The heads of a table of shades; of an id its last part, since the family stands beside the rows; a day as a short one."""
    day = "length(datum.label) === 10 && isValid(toDate(datum.label)) ? utcFormat(toDate(datum.label), '%d %b')"
    last = f"{day} : slice(datum.label, lastindexof(datum.label, '.') + 1)"
    angle = -60 if slanted else 0
    return alt.Axis(
        title=None, orient="top", labelAngle=angle, labelExpr=last, labelLimit=150, labelOverlap=not slanted
    )


def _count_axis(title: str | None) -> alt.Axis:
    return alt.Axis(title=title, tickMinStep=1, format="~s")


def days(frame: pl.DataFrame) -> AnyChart:
    """Relevant records per day (`day`, `relevant`, `sampled`, `gap`): a day without any line of log is marked."""
    picked = picking("date")
    frame = frame.with_columns(pl.col("day").cast(pl.String).alias("date"), pl.lit("no line of log").alias("said"))
    # One day alone would fill the chart.
    days = frame["day"].to_list()
    first, last = min(days), max(days)
    shown = alt.Scale(domain=[str(first), str(max(last, first + dt.timedelta(days=13)))], type="utc")
    x = alt.X(
        "utcyearmonthdate(day):T",
        bandPosition=0.5,
        scale=shown,
        axis=alt.Axis(title=None, format="%d %b", labelOverlap=True),
    )
    bars = (
        alt.Chart(frame.filter(~pl.col("gap")))
        .mark_bar(color=BLUE)
        .encode(
            x=x,
            y=alt.Y("relevant:Q", axis=_count_axis("records")),
            opacity=alt.condition(picked, alt.value(1.0), alt.value(0.45)),
            tooltip=[
                alt.Tooltip("date:N", title="day"),
                alt.Tooltip("relevant:Q", title="records"),
                alt.Tooltip("sampled:Q", title="sampled chatter"),
            ],
        )
        .add_params(picked)
    )
    gaps = (
        alt.Chart(frame.filter(pl.col("gap")))
        .mark_rule(color=RED, strokeWidth=3, strokeDash=[4, 3])
        .encode(x=x, tooltip=[alt.Tooltip("date:N", title="day"), alt.Tooltip("said:N", title="gap")])
    )
    return _finish(bars + gaps, 190)


def verdicts(frame: pl.DataFrame) -> AnyChart:
    """How many checks have which verdict (`verdict`, `checks`)."""
    return _finish(
        _bars(
            frame,
            "verdict",
            "checks",
            colour="verdict",
            colours=VERDICT_COLOURS,
            legend=False,
            sort=list(VERDICT_COLOURS),
        ),
        ROW * max(frame.height, 1) + AXIS,
    )


def bars(frame: pl.DataFrame, name: str, count: str, *, colour: str = "") -> AnyChart:
    """Horizontal bars, longest first: `count` for each `name`, coloured by severity where `colour` names the column."""
    colours = SEVERITY_COLOURS if colour else {}
    chart = _bars(frame, name, count, colour=colour, colours=colours, legend=True, sort="-x")
    return _finish(chart, ROW * max(frame[name].n_unique(), 1) + AXIS + (LEGEND if colour else 0))


def _bars(
    frame: pl.DataFrame,
    name: str,
    count: str,
    *,
    colour: str,
    colours: dict[str, str],
    legend: bool,
    sort: str | list[str],
) -> AnyChart:
    picked = picking(name, colour) if colour and colour != name else picking(name)
    tooltip = [alt.Tooltip(f"{name}:N"), alt.Tooltip(f"{count}:Q", format=",")]
    chart = alt.Chart(frame).mark_bar(color=BLUE)
    if colour:
        where = LEGEND_ON_TOP if legend else None
        chart = chart.encode(color=alt.Color(f"{colour}:N", scale=_palette(frame, colour, colours), legend=where))
    if colour and colour != name:
        tooltip.append(alt.Tooltip(f"{colour}:N"))
    drawn: AnyChart = chart.encode(
        y=alt.Y(f"{name}:N", sort=sort, axis=names_axis()),
        x=alt.X(f"{count}:Q", axis=_count_axis(count)),
        opacity=alt.condition(picked, alt.value(1.0), alt.value(0.45)),
        tooltip=tooltip,
    ).add_params(picked)
    return drawn


def company(frame: pl.DataFrame) -> AnyChart:
    """How often each check objected alone or with others (`check_id`, `alone`, `together`)."""
    picked = picking("check_id")
    long = frame.select(
        "check_id", pl.col("alone").alias("as the only one"), pl.col("together").alias("with others")
    ).unpivot(index="check_id", variable_name="fired", value_name="drafts")
    chart = (
        alt.Chart(long)
        .mark_bar()
        .encode(
            y=alt.Y("check_id:N", sort="-x", axis=names_axis()),
            x=alt.X("drafts:Q", axis=_count_axis("fires")),
            color=alt.Color(
                "fired:N",
                scale=alt.Scale(domain=["as the only one", "with others"], range=[BLUE, ORANGE]),
                legend=LEGEND_ON_TOP,
            ),
            opacity=alt.condition(picked, alt.value(1.0), alt.value(0.45)),
            tooltip=[
                alt.Tooltip("check_id:N", title="check"),
                alt.Tooltip("fired:N"),
                alt.Tooltip("drafts:Q", title="fires"),
            ],
        )
        .add_params(picked)
    )
    return _finish(chart, ROW * max(frame.height, 1) + AXIS + LEGEND)


def heat(frame: pl.DataFrame, x: str, y: str, count: str) -> AnyChart:
    """A table of shades: `count` for each pair of `x` and `y`, with the figure in each cell."""
    picked = picking(x, y)
    base = alt.Chart(frame).encode(
        x=alt.X(f"{x}:N", axis=_heads(slanted=frame[x].n_unique() > 3)),
        y=alt.Y(f"{y}:N", axis=names_axis()),
        tooltip=[alt.Tooltip(f"{y}:N"), alt.Tooltip(f"{x}:N"), alt.Tooltip(f"{count}:Q")],
    )
    cells = base.mark_rect(color=BLUE, cornerRadius=2).encode(
        opacity=alt.Opacity(f"{count}:Q", scale=alt.Scale(range=[0.08, 0.75], domainMin=0), legend=None)
    )
    return _finish(
        cells.add_params(picked) + base.mark_text(fontSize=11).encode(text=f"{count}:Q"),
        ROW * frame[y].n_unique() + (110 if frame[x].n_unique() > 3 else 40),
    )


def attempts(frame: pl.DataFrame) -> AnyChart:
    """Runs by the number of attempts and by outcome (`attempts`, `outcome`, `runs`)."""
    picked = picking("attempts", "outcome")
    chart = (
        alt.Chart(frame)
        .mark_bar()
        .encode(
            x=alt.X("attempts:O", axis=alt.Axis(title="attempts", labelAngle=0)),
            y=alt.Y("runs:Q", axis=_count_axis("runs")),
            color=alt.Color(
                "outcome:N",
                scale=_palette(frame, "outcome", OUTCOME_COLOURS),
                legend=LEGEND_ON_TOP,
            ),
            opacity=alt.condition(picked, alt.value(1.0), alt.value(0.45)),
            tooltip=[alt.Tooltip("attempts:O"), alt.Tooltip("outcome:N"), alt.Tooltip("runs:Q")],
        )
        .add_params(picked)
    )
    return _finish(chart, 260)


def shares(frame: pl.DataFrame) -> AnyChart:
    """What part of the runs ended in which way, per week (`week`, `outcome`, `runs`, `of_runs`, `share`)."""
    picked = picking("week_of", "outcome")
    frame = frame.with_columns(pl.col("week").cast(pl.String).alias("week_of"))
    chart = (
        alt.Chart(frame)
        .mark_line(point=alt.OverlayMarkDef(size=70), strokeWidth=2)
        .encode(
            x=alt.X("week_of:O", axis=alt.Axis(title="week of", labelAngle=0, labelOverlap=True)),
            y=alt.Y("share:Q", axis=alt.Axis(title="share of runs", format="%"), scale=alt.Scale(domainMin=0)),
            color=alt.Color(
                "outcome:N",
                scale=_palette(frame, "outcome", OUTCOME_COLOURS),
                legend=LEGEND_ON_TOP,
            ),
            tooltip=[
                alt.Tooltip("week_of:N", title="week of"),
                alt.Tooltip("outcome:N"),
                alt.Tooltip("runs:Q"),
                alt.Tooltip("of_runs:Q", title="of runs"),
                alt.Tooltip("share:Q", format=".1%"),
            ],
        )
        .add_params(picked)
    )
    return _finish(chart, 260)


def ended_otherwise(frame: pl.DataFrame) -> pl.DataFrame:
    """The weeks of outcomes_by_week.sql as `shares` takes them: one row per week and outcome other than posted."""
    long = frame.rename({"posted_template": "posted-template"}).unpivot(
        ["posted-template", "silent"], index=["week", "runs"], variable_name="outcome", value_name="ended"
    )
    return long.select("week", "outcome", runs="ended", of_runs="runs", share=pl.col("ended") / pl.col("runs"))
