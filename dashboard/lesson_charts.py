"""The pictures of lessons: the plan as a graph in layers, and how much of the way was marked."""

from collections.abc import Mapping, Sequence

import altair as alt
import polars as pl

from dashboard.charts import BLUE, GREY, LEGEND_ON_TOP, ORANGE, PICKED, ROW, AnyChart

STATE_COLOURS = {"current": ORANGE, "visited": BLUE, "upcoming": GREY}


def untagged(frame: pl.DataFrame) -> AnyChart:
    """Teaching questions of each lesson, by whether they name their node (`lesson`, `tagged`, `untagged`)."""
    long = frame.select(
        "lesson", pl.col("tagged").alias("names its node"), pl.col("untagged").alias("names none")
    ).unpivot(index="lesson", variable_name="question", value_name="questions")
    colours = alt.Scale(domain=["names its node", "names none"], range=[BLUE, ORANGE])
    chart = (
        alt.Chart(long)
        .mark_bar()
        .encode(
            y=alt.Y(
                "lesson:N",
                sort=frame["lesson"].to_list(),
                axis=alt.Axis(title=None, labelLimit=200, labelFlush=False, labelOverlap=False),
            ),
            x=alt.X("questions:Q", axis=alt.Axis(title="questions while teaching", tickMinStep=1, format="~s")),
            color=alt.Color("question:N", scale=colours, legend=LEGEND_ON_TOP),
            tooltip=[alt.Tooltip("lesson:N"), alt.Tooltip("question:N"), alt.Tooltip("questions:Q")],
        )
        .add_params(alt.selection_point(name=PICKED, fields=["lesson"], on="click"))
    )
    return _finish(chart, ROW * frame.height + 110)


def plan(nodes: pl.DataFrame) -> AnyChart:
    """The plan (`node`, `title`, `requires`, `state`, `quizzes`, `in_plan`): what a node requires stands to its left."""
    placed = nodes.join(layers(nodes), on="node", how="left")
    edges = _edges(placed)
    across = alt.Scale(domain=[-0.5, _most(placed, "layer") + 0.5], nice=False)
    down = alt.Scale(domain=[_most(placed, "row") + 0.6, -0.6], nice=False)
    x, y = alt.X("layer:Q", scale=across, axis=None), alt.Y("row:Q", scale=down, axis=None)
    colours = alt.Scale(domain=list(STATE_COLOURS), range=list(STATE_COLOURS.values()))
    lines = (
        alt.Chart(edges)
        .mark_rule(color=GREY, opacity=0.55, strokeWidth=1.5)
        .encode(x=x, y=y, x2="to_layer:Q", y2="to_row:Q", tooltip=[alt.Tooltip("way:N", title="required by")])
    )
    dots = (
        alt.Chart(placed)
        .mark_circle(opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("state:N", scale=colours, legend=LEGEND_ON_TOP),
            size=alt.Size("state:N", scale=alt.Scale(domain=list(STATE_COLOURS), range=[900, 420, 300]), legend=None),
            tooltip=[
                alt.Tooltip("title:N"),
                alt.Tooltip("node:N"),
                alt.Tooltip("state:N"),
                alt.Tooltip("quizzes:Q", title="questions about it"),
            ],
        )
    )
    halo = (
        alt.Chart(placed.filter(state="current"))
        .mark_point(size=1700, color=ORANGE, strokeWidth=2.5, opacity=0.9)
        .encode(x=x, y=y)
    )
    names = alt.Chart(placed).mark_text(dy=34, limit=170, fontSize=12).encode(x=x, y=y, text="title:N")
    return _finish(lines + halo + dots + names, 92 * (int(_most(placed, "row")) + 1) + 70)


def layers(nodes: pl.DataFrame) -> pl.DataFrame:
    """Where each node stands (`node`, `layer`, `row`): one layer after the last of what it requires, in the plan's order.

    Plans are made by a model: what they require may be missing or go round in a circle; such a link does not count.
    """
    requires = {row["node"]: required_by(row["requires"]) for row in nodes.iter_rows(named=True)}
    placed: dict[str, int] = {}
    while len(placed) < len(requires):
        waiting = [node for node in requires if node not in placed]
        ready = [
            node
            for node in waiting
            if not any(other in requires and other not in placed for other in requires[node] if other != node)
        ]
        for node in ready or waiting[:1]:
            placed[node] = 1 + max(
                (placed[other] for other in requires[node] if other in placed and other != node), default=-1
            )
    rows: dict[int, list[str]] = {}
    for node in requires:
        rows.setdefault(placed[node], []).append(node)
    most = max(map(len, rows.values()), default=0)
    where = {node: (most - len(row)) / 2 + place for row in rows.values() for place, node in enumerate(row)}
    schema = {"node": pl.String, "layer": pl.Int64, "row": pl.Float64}
    return pl.DataFrame([(node, placed[node], where[node]) for node in requires], schema=schema, orient="row")


def required_by(text: str) -> Sequence[str]:
    """The ids in the JSON list `requires` of lesson_plan.sql."""
    found: list[str] = pl.Series([text]).str.json_decode(pl.List(pl.String))[0].to_list()
    return found


def _edges(placed: pl.DataFrame) -> pl.DataFrame:
    there: Mapping[str, dict[str, object]] = {row["node"]: row for row in placed.iter_rows(named=True)}
    rows = [
        (
            there[other]["layer"],
            there[other]["row"],
            row["layer"],
            row["row"],
            f"{there[other]['title']} → {row['title']}",
        )
        for row in there.values()
        for other in required_by(str(row["requires"]))
        if other in there and other != row["node"]
    ]
    schema = {"layer": pl.Float64, "row": pl.Float64, "to_layer": pl.Float64, "to_row": pl.Float64, "way": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _most(placed: pl.DataFrame, column: str) -> float:
    return float(placed[column].max() or 0)  # type: ignore[arg-type]


def _finish(chart: AnyChart, height: int) -> AnyChart:
    return chart.properties(width="container", height=height, background="transparent")
