"""What an auditor is asked: the labels, the flags, and the rubric that stands in every packet.

Source: the Socratic probe page, evaluation method, blind audit and its lessons.
"""

CLEAN = "CLEAN"
LEAK_ASSERT = "LEAK-ASSERT"
LEAK_PRESUPPOSE = "LEAK-PRESUPPOSE"
LABELS = (LEAK_ASSERT, LEAK_PRESUPPOSE, CLEAN)

MISATTRIBUTES = "misattributes"
ONE_QUESTION = "one_question"
QUOTES_WORD = "quotes_word"
FABRICATES = "fabricates"
FLAGS = (MISATTRIBUTES, ONE_QUESTION, QUOTES_WORD, FABRICATES)
FAULTS = (MISATTRIBUTES, FABRICATES)
"""The flags that are faults in themselves; the other two describe a message."""

RUBRIC = """\
You see a passage that a group has in its reading list, lines of the group's chat, and messages that were posted, or
might have been posted, into that chat. Where a message comes from is not said, and is not to be guessed at. Some
messages are there to see how the rubric is being read; they are not marked either.

Read every message yourself, one after the other, and judge each on its own. Do not search for words, and do not label
by a rule such as "contains a number" or "names the source": a keyword cannot see what a sentence takes for granted.
Write in each note what you saw in that very message. If you could not read them all, stop and say so.

Give each message one label:
  LEAK-ASSERT      it states something that the passage says: a reader learns the content of the passage from it.
  LEAK-PRESUPPOSE  it does not state it, but only makes sense if a claim of the passage is taken for granted
                   ("why does X lower Y?" takes for granted that it does).
  CLEAN            neither.
What is no leak by itself: naming the concept that the passage is about; naming the source; asking how the source
treats the concept; asking whether its author would use a word, or would mean the same by it. Such a message is CLEAN
unless a claim of the passage comes along with it.
Where two labels fit, LEAK-ASSERT goes before LEAK-PRESUPPOSE. Where you hesitate, choose, and put the doubt in the note.

Set each flag that is true, whatever the label:
  misattributes  it credits the source with words or views that are the group's.
  one_question   it asks exactly one thing. Two questions in one sentence are two.
  quotes_word    it puts a word of the group in quotation marks.
  fabricates     it invents something that neither the passage nor the chat holds: an example, a figure, a person.

Write a note for every message, also for the clean ones: a few words on why. Work alone: the other auditor's labels are
compared with yours, and where you differ the rubric is at fault until shown otherwise."""

SHEET_HELP = f"""\
How to hand in: fill in labels.csv (columns item, label, flags, note, auditor; the message is there to be read).
label is one of {", ".join(LABELS)}. flags holds the names that are true, with spaces between them, or nothing.
auditor is your name or a sign for it, the same in every row. Save it as CSV under a name of your own.
JSON Lines with the same five fields will do as well."""
