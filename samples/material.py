"""The invented readings, words and drafts that sample_logs are made of; `{s}` is the source, `{w}` the group's word.

Nothing here is real: the readings are fabricated, so that no sample can be mistaken for what a paper says.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """An invented reading: how it is named, what it is about, a passage, and a draft that copies the passage."""

    label: str
    citation: str
    title: str
    concept: str
    passage: str
    copied: str


READINGS = (
    Reading(
        "Okafor",
        "Okafor (2019), Rooms that wait",
        "Rooms that wait",
        "paced silence",
        "Okafor follows forty reading rooms over two winters. A room keeps a paced silence when nobody fills a pause "
        "within a breath. Rooms that kept it came back to the text; in 31 of 40 rooms the next speaker quoted a line. "
        "Okafor names the opposite habit 'gap rush' and treats it as a courtesy that tires.",
        "How would {s} treat a room where nobody fills a pause within a breath?",
    ),
    Reading(
        "Lindqvist",
        "Lindqvist (2021), Borrowed gardens",
        "Borrowed gardens",
        "shared tending",
        "Lindqvist visits allotments that change hands each spring. By shared tending the growers mean work that leaves "
        "no mark of who did it. Yields rose by 14 percent where the tools were kept in one shed, and quarrels were "
        "recorded less often. The book disputes that ownership is what makes people careful.",
        "Would {s} accept work that leaves no mark of who did it?",
    ),
    Reading(
        "Marchetti and Oyelaran",
        "Marchetti and Oyelaran, The long table",
        "The long table",
        "slow consent",
        "Marchetti and Oyelaran sit through village assemblies that end without a vote. Slow consent is reached when the "
        "last objection has been repeated by someone else. Of 62 assemblies, 45 ended that way. A decision that is "
        "hurried, they write, is a decision that is reopened.",
        "How do {s} see the last objection that has been repeated by someone else?",
    ),
    Reading(
        "Tanaka",
        "Tanaka (2017), Maps for walking",
        "Maps for walking",
        "kept detours",
        "Tanaka asks postal carriers to draw their rounds from memory. Kept detours are the turns that save no time and "
        "that carriers defend all the same. Carriers with more of them remembered twice as many names along the way. "
        "The maps disagree with the ones that the office prints.",
        "Would {s} count turns that save no time and that carriers defend?",
    ),
)

WORDS = ("healthy", "fair", "natural", "efficient", "honest", "safe")
PEOPLE = ("Robin", "Maple", "Heron", "Juniper", "Sparrow", "Birch", "Wren", "Alder")
LINES = (
    "that felt {w} to me",
    "I would not call it {w}",
    "we always say {w} when we mean comfortable",
    "my grandmother had another word than {w}",
    "is it {w} if nobody asked for it",
    "the second page says it better than I can",
    "so everyone agrees then",
    "I read that part twice",
)

GOOD: dict[str, tuple[str, ...]] = {
    "word": (
        'When we say "{w}" about an evening, would {s} mean the same thing by it?',
        'Would {s} call tonight "{w}", or keep that word for something else?',
        'How would {s} test whether a group deserves the word "{w}"?',
        'Which part of this talk would {s} be slow to call "{w}"?',
        'What would have to change here before {s} could accept the word "{w}"?',
        'Who in a gathering gets to decide what is "{w}", on a view like that of {s}?',
    ),
    "concept": (
        "How would {s} recognise {c} in the way we talk tonight?",
        "Where in this conversation might {s} look for {c}?",
        "What does {c} ask of a listener, in the terms {s} sets out?",
        "Which of our habits would {s} count against {c}?",
        "Who decides that something is {c}, as {s} describes it?",
    ),
}
"""Drafts that pass, by what they are about."""

BAD: dict[str, dict[str, tuple[str, ...]]] = {
    "source": {
        "word": ('Would "{w}" mean the same thing in the reading?', 'What would it take for a group to be "{w}"?'),
        "concept": ("How would the author recognise {c} here?", "Where might a reader look for {c} tonight?"),
    },
    "trailing": {
        "word": ('Would "{w}" be the right word for the reading, given that we all agree on it?',),
        "concept": ("Where would the reading look for {c}, in light of what we all said?",),
    },
    "compound": {
        "word": ('Would {s} call tonight "{w}", and how would we know?',),
        "concept": ("How would {s} recognise {c}, and what would we do about it?",),
    },
    "questions": {
        "word": ('Would {s} call tonight "{w}"? Would you?',),
        "concept": ("How would {s} describe {c}? Is it here?",),
    },
    "credit": {
        "word": ('Does {s} use "{w}" the way we do?',),
        "concept": ("How would the author describe {c} tonight?",),
    },
    "unquoted": {
        "word": ("Would {s} call tonight {w}?",),
        "concept": ("What would the author make of {c}?",),
    },
    "pronoun": {
        "word": ('Would {s} keep "{w}" for his own rooms?',),
        "concept": ("How would {s} defend {c} if she sat here tonight?",),
    },
    "long": {
        "word": (
            'Would {s} call tonight "{w}" even though people came and went all evening and the reading was long and the '
            "lamps were low and somebody always wanted to move on to another page before the last one had been finished "
            "by everyone else?",
        ),
        "concept": (
            "Where would {s} look for {c} in an evening when people came and went and the reading was long and the lamps "
            "were low and somebody always wanted to move on to another page before the last one had been finished by "
            "everyone else?",
        ),
    },
    "analogy": {
        "word": ('What if {s} sat with us: would "{w}" still be the word?',),
        "concept": ("What if {s} sat with us: would {c} still be the word?",),
    },
}
"""Drafts that fail, by what is wrong with them and what they are about."""

CHATTER = tuple(
    "agent conversation transcript periodic retrieved chunk embedding channel message poll vector latency token budget".split()
)
