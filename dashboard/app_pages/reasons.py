"""Which reasons do the checks give, how does that change, and do they come alone?"""

import polars as pl
import streamlit as st

from dashboard import charts, components, data, words
from queries.wording import plural

chosen = components.asked()
reasons = data.of_family(data.ask("reasons", chosen.window), chosen.family)
counted, unmapped = reasons["count"].sum(), reasons.filter(pl.col("check_id").is_null())["count"].sum()
if counted:
    top = reasons.group_by("check_id").agg(pl.col("count").sum()).drop_nulls().sort("count", descending=True)
    most = f", most often that of `{top['check_id'][0]}` ({top['count'][0]:,})" if top.height else ""
    answer = f"{plural(int(counted), 'reason')}{most}; {unmapped:,} belong to no check that is known here."
else:
    covered = words.covered(data.coverage(chosen.window))
    answer = f"No reason was given, which is good news only where checks were run. {covered}"
components.heading("Which reasons do the checks give, and do they come alone?", answer)

fires = data.of_family(data.ask("sole_fires", chosen.window), chosen.family)
if fires.height:
    left, right = st.columns(2)
    below = st.container()
    with left:
        st.subheader("Alone or with others", anchor=False)
        components.chart(
            charts.company(
                fires.select("check_id", alone="sole_fires", together=pl.col("fires") - pl.col("sole_fires"))
            ),
            "alone-or-together",
            below=below,
            says="Fires per check, split into those where it was the only one to object and the rest",
            records=lambda mark: data.behind_fires(mark["check_id"]),
        )
    with right:
        st.subheader("Together on one draft", anchor=False)
        pairs = data.of_family(data.ask("together", chosen.window), chosen.family, "check_a")
        if pairs.height:
            components.chart(
                charts.heat(pairs, "check_b", "check_a", "together"),
                "together",
                below=below,
                says="How often two checks objected to the same draft",
                records=lambda mark: data.behind_fires(mark["check_a"], also=mark["check_b"]),
            )
        else:
            st.info("No two checks objected to the same draft.")
weekly = data.of_family(data.ask("fires_by_week", chosen.window), chosen.family)
# A check that fired at all is shown with its silent weeks: a zero there, and nothing where no evaluation is known.
weekly = weekly.filter(pl.col("fires").sum().over("check_id") > 0)
if weekly.height:
    st.subheader("Fires per week", anchor=False)
    st.caption("0: evaluated in that week, and silent. Empty: no evaluation in that week is known.")
    components.chart(
        charts.heat(weekly.with_columns(week_of=pl.col("week").cast(pl.String)), "week_of", "check_id", "fires"),
        "fires-by-week",
        says="Fires of each check per week",
        records=lambda mark: data.behind_fires(mark["check_id"], week=mark["week_of"]),
    )

st.subheader("Every reason as it was logged", anchor=False)
components.table(
    reasons,
    "reasons",
    empty="No reason was given in this window.",
    order=["check_id", "fragment", "count", "template_count", "first_seen", "last_seen"],
    records=lambda row: data.behind_fires(row["check_id"], family=row["family"], fragment=row["fragment"]),
    more=lambda row: (
        {f"From templates: {row['template_count']:,}": {"kind": "template_failed", "fragment": row["fragment"]}}
        if row["template_count"]
        else {}
    ),
)
