"""Words that report what a study found: finding verbs, and words that smell of an outcome."""

from checks.socratic.words import FUNCTION_WORDS, Words

FINDING_VERBS = frozenset(
    """find finds found finding findings
    discover discovers discovered discovering
    fall falls fell fallen falling
    rise rises rose risen rising
    drop drops dropped dropping
    climb climbs climbed climbing
    decline declines declined declining
    increase increases increased increasing
    decrease decreases decreased decreasing
    lowers lowered lowering
    raises raised raising
    reduces reduced reducing
    improves improved improving
    worsen worsens worsened worsening
    grows grew grown
    shrink shrinks shrank shrunk
    doubles doubled doubling
    halves halved halving
    tripled quadrupled
    shows showed shown showing
    reveals revealed revealing
    demonstrates demonstrated demonstrating
    proves proved proven proving
    confirms confirmed confirming
    concludes concluded concluding
    predicts predicted predicting
    correlates correlated correlating
    outperform outperforms outperformed outperforming
    caused causing
    boosts boosted boosting
    surged soared plunged plummeted""".split()
)
"""Verbs that report an outcome, in the forms in which they do. The base form stands here where the verb has no
everyday use in a question about a topic (one may ask how a group could *improve*; nothing but an outcome *drops*)."""

FINDING_PHRASES: dict[str, tuple[str, ...]] = {
    "to": ("lead", "leads", "led", "leading", "contributes", "contributed", "contributing"),
    "in": ("result", "results", "resulted", "resulting"),
    "about": ("brings", "brought", "bringing"),
}
"""Verbs that report an outcome together with the word that follows them."""

OUTCOME_ONLY = frozenset(
    """outcome outcomes result results improvement improvements reduction reductions conclusion conclusions
    deterioration""".split()
)
"""Nouns that name nothing but an outcome."""

_PARTICIPLES = frozenset(
    """beaten begun bent bought broken brought built caught chosen cut done drawn driven fallen felt forgotten found given
    gone grown held hidden kept known led left lent lost made met paid put risen said seen sent shaken shown shrunk slept
    sold sought spent spoken spread stolen struck taken taught thrown told torn understood withdrawn won worn
    written""".split()
)
_NO_PARTICIPLES = frozenset(
    """bed bleed breed creed deed embed exceed feed greed heed hundred indeed kindred need newlywed proceed red reed
    sacred seed shed sled speed steed succeed ted weed wed wicked naked rugged""".split()
)
_COMPARATIVES = frozenset(
    """angrier better bigger braver brighter broader busier calmer cheaper cleaner clearer closer colder cooler darker
    deadlier deeper earlier easier elder faster fairer fewer finer firmer fitter fresher friendlier fuller further greater
    happier harder harsher healthier heavier higher hotter kinder larger later lazier less lesser lighter lonelier longer
    louder lower luckier messier milder more narrower nearer newer nicer noisier older poorer prouder quicker quieter rarer
    readier richer riper rougher sadder safer sharper shorter sicker simpler sleepier slower smaller smarter smoother softer
    steadier steeper sterner stiffer stricter stronger sweeter swifter taller thicker thinner tighter tougher truer warmer
    weaker wealthier wetter wider wilder wiser worse younger""".split()
)


def has_finding_verb(tokens: Words) -> bool:
    """Whether a finding verb stands among `tokens`; an adverb may part *led* from *to*."""
    for at, word in enumerate(tokens):
        if word in FINDING_VERBS:
            return True
        following = tokens[at + 1 : at + 3]
        if len(following) == 2 and not following[0].endswith("ly"):
            following = following[:1]
        if any(word in FINDING_PHRASES.get(particle, ()) for particle in following):
            return True
    return False


def is_outcomeish(word: str) -> bool:
    """Whether `word` is a past participle or a comparative."""
    if word in _PARTICIPLES or word in _COMPARATIVES:
        return True
    return word.endswith("ed") and len(word) > 4 and word not in _NO_PARTICIPLES and word not in FUNCTION_WORDS
