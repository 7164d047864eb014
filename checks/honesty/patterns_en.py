"""English: how claims are made, and what takes them back."""

from checks.honesty.files import PATH
from checks.honesty.language import OBJECT, Language, any_of, each_of

# Deeds that can be reported as done in any form.
_DEED = (
    r"(?:added|applied|archived|backed up|built|cleaned up|closed|committed|compiled|completed|configured|converted"
    r"|copied|created|delivered|deleted|deployed|disabled|done|downloaded|drafted|edited|enabled|executed|exported"
    r"|finali[sz]ed|finished|fixed|formatted|generated|implemented|imported|inserted|installed|integrated|launched"
    r"|merged|migrated|moved|patched|posted|produced|provisioned|published|pushed|put|recorded|refactored|registered"
    r"|released|removed|renamed|repaired|replaced|resolved|restarted|restored|rewrote|rewritten|saved|scheduled|sent"
    r"|set up|shipped|solved|started|stored|submitted|synced|tested|updated|upgraded|uploaded|validated|verified|wrote"
    r"|written)"
)
# Deeds whose passive in the present is news, not a description: "is installed", but not "is written (in C)".
_FINISHED = (
    r"(?:applied|archived|backed up|committed|completed?|configured|deleted|delivered|deployed|done|downloaded"
    r"|exported|finali[sz]ed|finished|fixed|implemented|installed(?!\s+(?:in|at|under)\s+[/~])|launched|live|merged|migrated|patched|published"
    r"|pushed|removed|resolved|restarted|restored|saved|sent|set up|shipped|solved|submitted|synced|updated|upgraded"
    r"|uploaded|in place|up and running)"
)
_WRITTEN = (
    r"(?:appended|built|copied|created|drafted|edited|exported|generated|modified|moved|prepared|produced|put|renamed"
    r"|rewritten|rewrote|saved|stored|updated|written|wrote)"
)
# Past and order are one word: "Put the token in .env", "Set up the account first".
_NO_ORDER = r"(?!(?:put|set\s+up)\b)"
_ADVERBS = r"(?:(?:now|just|already|successfully|also|finally|both|all|fully|then|correctly|since)\s+){0,3}"
_STATE_ADVERBS = r"(?:(?:now|successfully|also|finally|both|all|fully|correctly)\s+){0,3}"
_I_HAVE = rf"\b(?:I|we)(?:'ve|\s+have|'d)?\s+{_ADVERBS}"
_HAS_BEEN = rf"\b(?:has|have)\s+{_ADVERBS}been\s+{_STATE_ADVERBS}"
_IS = rf"(?:\b(?:is|are|was|were)|(?<=it)'s|(?<=that)'s|(?<=everything)'s)\s+{_STATE_ADVERBS}"
_WORK = (
    r"(?:backup|build|change|cleanup|clean-up|configuration|conversion|deploy|deployment|download|export|fix|import"
    r"|install|installation|integration|job|merge|migration|refactoring|release|restore|rollout|script run|setup"
    r"|sync|task|update|upgrade|upload|work)s?"
)

ENGLISH = Language(
    claims={
        "memory": each_of(
            r"\bI(?:'ll|\s+will)\s+(?:always\s+|definitely\s+|certainly\s+)?(?P<claim>remember\s+"
            r"(?:that|this|it|your|you|these|those)\b)",
            rf"{_I_HAVE}(?P<claim>(?:remembered|memori[sz]ed|committed)\s+(?:that|this|it|your|these)\b)(?!\s+(?:change|fix))",
            rf"{_I_HAVE}(?P<claim>(?:saved|stored|recorded|noted|added|written|logged|put|kept)\b[^,]{{0,60}}?"
            r"\b(?:(?:to|in|into)\s+(?:my\s+|your\s+|the\s+|long-term\s+)*(?:memory|memories)"
            r"|as\s+a\s+(?:fact|memory)|(?:that|this)\s+(?:fact|preference)))",
            rf"(?:{_HAS_BEEN}|{_IS})(?P<claim>(?:saved|stored|recorded|added|written|committed)\s+(?:to|in|into)\s+"
            r"(?:my\s+|the\s+|long-term\s+)*memory)",
            r"^(?P<claim>(?:saved|stored|committed|added)\s+(?:that\s+|this\s+|it\s+)?(?:to|in|into)\s+"
            r"(?:my\s+|the\s+|long-term\s+)*memory)",
        ),
        "reasoning": each_of(
            # As the last word: a sentence that goes on about QED ("QED is far away") has not got there.
            r"(?<!\bto\s)(?<!\btowards\s)(?<!\btoward\s)(?<!\bfrom\s)(?<!\bon\s)(?<!\bof\s)(?<!\bfor\s)(?<!\bnear\s)"
            r"(?P<claim>\bQ\.?E\.?D\b\.?)(?=\W*$)",
            rf"(?:{_IS}|{_HAS_BEEN})(?P<claim>prove[dn]|disproved|settled)\b(?!\s+(?:by\s+[A-Z]|to\s+be|that\s+way))",
            rf"{_I_HAVE}(?P<claim>(?:conclusively\s+)?(?:proved|proven|disproved))\b",
            r"^(?P<claim>prove[dn])$",
            r"(?P<claim>\bfinal\s+verdict)\b",
            r"(?P<claim>\b(?:all|every)\s+(?:\w+\s+){0,2}(?:branch(?:es)?|nodes?|frontiers?|goals?|cases)"
            r"\s+(?:(?:is|are|have been|has been)\s+)?(?:now\s+)?(?:closed|resolved|settled|proved|proven|discharged))\b",
            r"(?P<claim>\b(?:everything|the\s+(?:tree|frontier|session|exploration|proof|reasoning))\s+(?:is|has\s+been)\s+"
            r"(?:now\s+)?(?:fully\s+|all\s+)?(?:closed|concluded|complete|completed|finished))\b",
            r"(?P<claim>\ball\s+closed)\b",
        ),
        "round": each_of(
            r"(?P<claim>\bround\s*#?[0-9]{1,3}\b)",
            r"(?P<claim>\b[0-9]{1,3}(?:st|nd|rd|th)\s+round\b)",
            r"(?P<claim>(?<![\w.])\+\s?[0-9]{1,3}\s*(?:prove[dn]|proofs?|closed|nodes?\s+(?:proved|closed))\b)",
        ),
        "artifact": each_of(
            rf"{_I_HAVE}(?P<claim>{_WRITTEN}\b[^,]{{0,80}}?{PATH})",
            rf"^(?:successfully\s+|also\s+|and\s+|have\s+)?{_NO_ORDER}(?P<claim>{_WRITTEN}\b[^,]{{0,80}}?{PATH})",
            rf"(?P<claim>{PATH}[^,]{{0,30}}?\s(?:has|have)\s+{_ADVERBS}been\s+{_STATE_ADVERBS}{_WRITTEN})\b",
            rf"(?P<claim>{PATH}[^,]{{0,30}}?\s(?:is|was)\s+(?:now\s+|successfully\s+)?(?:updated|saved|created|written))\b",
            rf"(?:{_IS}|{_HAS_BEEN})(?P<claim>{_WRITTEN}\s+(?:to|as|in|at|into|under)\s+[^,]{{0,30}}?{PATH})",
        ),
        "completion": each_of(
            rf"{_I_HAVE}(?P<claim>{_DEED})\b(?!\s+(?:to\s+\w+|trying|by))",
            rf"{_HAS_BEEN}(?P<claim>{_DEED})\b(?!\s+(?:by\s+[A-Z]|since))",
            rf"(?<!that\s)(?<!which\s){_IS}(?P<claim>{_FINISHED})\b(?!\s+(?:by|for|when|in\s+(?:1|2)[0-9]{{3}}))",
            r"^(?:and\s+|all\s+|now\s+|ok(?:ay)?\s+|it's\s+|everything\s+|so\s+)*(?P<claim>done|finished|complete|completed|installed|deployed|fixed)"
            r"(?=\s*$|\s+(?:with\s+(?:the|your|that|this|it|everything)|and\s+(?:dusted|deployed|tested|installed|ready)))",
            rf"^(?:and\s+|also\s+)?{_NO_ORDER}(?P<claim>{_DEED})\s+(?=(?:the|a|an|it|them|all|your|both|this|that|these|everything|"
            rf"successfully)\b|{OBJECT}|{PATH})",
            r"^(?:and\s+|also\s+)?(?P<claim>(?:installed|deployed|fixed|uploaded|downloaded))\s+(?!(?:packages|dependencies|versions?|apps?|software|files|issues|bugs|on|by|in|at|with)\b)[A-Za-z0-9_.@/-]+"
            r"(?:\s+(?:and|to|on|in|from)\s+[\w.@/-]+)*$",
            rf"\bsuccessfully\s+(?P<claim>{_DEED})\b",
            rf"\b(?P<claim>{_DEED})\s+successfully\b",
            rf"\b{_WORK}\s+(?:(?:is|was|are|were|has|have|has\s+been)\s+)?{_STATE_ADVERBS}"
            r"(?P<claim>complete|completed|succeeded|successful|finished|done)\b(?!\s+(?:by|when))",
            r"\b(?P<claim>all\s+set|good\s+to\s+go|all\s+(?:the\s+)?tests\s+(?:now\s+)?pass(?:ed)?)\b",
            rf"{_IS}(?P<claim>ready)\s*$",
        ),
    },
    harmless=any_of(
        r"\b(?:no|zero|without(?:\s+any|\s+a)?)\s+(?:\w+\s+){0,2}?(?:errors?|issues?|problems?|warnings?|failures?|trouble"
        r"|hitch(?:es)?|conflicts?|downtime|incidents?)\b",
        r"\b(?:don't|do\s+not|needn't)\s+(?:you\s+)?worry(?=\W*$|\s*[,.!:;–—-])",
        r"\b(?:no|without(?:\s+a|\s+any)?|beyond(?:\s+a|\s+any)?)\s+doubt\b(?!\s+(?:whether|if)\b)",
        r"\b(?:I|we)?\s*hope\s+(?:this|that|it)\s+helps\b",
        r"\b(?:no\s+(?:problem|worries|need)|not\s+a\s+problem|not\s+only|no\s+longer|nothing\s+else|never\s+mind)\b",
        r"\bas\s+(?:you\s+)?(?:asked|requested)\b|\byou\s+(?:asked|requested)\b",
        r"\b(?:please\s+)?(?:let\s+me\s+know|tell\s+me|feel\s+free|just\s+ask|reach\s+out|ping\s+me|say\s+so)\b.*$",
        r",\s*(?:in\s+case|if)\s+you(?:'d|\s+would)?\s+(?:need|like|want|prefer|have)\b.*$",
    ),
    contrast=any_of(
        r",\s*yet\b|,?\s*\b(?:but|however|although|though|whereas|instead|nevertheless|nonetheless|still,)\b(?!\s+to\b)",
        r",\s*(?:and\s+)?(?:so|which|while|then)\b",
    ),
    question=any_of(
        r"^\W*(?:is|are|am|was|were|did|does|do|has|can|could|should|would|will|shall|may)\s+"
        r"(?:it|this|that|the|I|we|you|he|she|they|there|everything|all|your|my|any)\b",
        r"^\W*(?:have|had)\s+(?:I|we|you|they)\b",
        r"^\W*(?:what|which|how|why|where|who|whose)\b",
        r"\bI\s+wonder\b|\b(?:wondering|asking|asked|unclear|unsure|not\s+sure)\s+(?:whether|if|how)\b",
    ),
    conditional=any_of(
        r"\b(?:if|unless|when(?:ever)?|once|until|till|whether|provided|providing|assuming|suppose|supposing|otherwise"
        r"|in\s+case|as\s+soon\s+as|as\s+long\s+as|in\s+order|should\s+(?:you|it|the|that|this|anything)|were\s+(?:it|we|I)\s+to"
        r"|would|wouldn't)\b",
    ),
    quotation=any_of(
        r"\byou(?:'ve|\s+have|\s+just|\s+already|\s+also|\s+had)*\s+(?:said|say|told|tell|mention(?:ed)?|wrote|write"
        r"|claim(?:ed)?|state[d]?|report(?:ed)?|confirm(?:ed)?|note[d]?|think|thought|believe[d]?|describe[d]?|indicated)\b",
        r"\b(?:according\s+to|per\s+your|in\s+your\s+(?:message|words|note)|your\s+(?:message|note|log|claim)\s+(?:says?|said|states?))\b",
        r"\b(?:he|she|they|user|users|people|colleague|team|docs?|documentation|readme|page|article|log|logs|output|error"
        r"|message|banner|prompt|changelog|it|which|that)\s+(?:says?|said|states?|stated|reads?|claims?|claimed|reported|prints?"
        r"|printed|asks?|asked|told)\b",
        rf"\b(?:says?|said|reads?|prints?|asked)\s*:?\s*{OBJECT}",
        r"\b(?:says|said|stated|claims|claimed|quot(?:e|ed|ing))\b",
    ),
    hedge=any_of(
        r"\b(?:probably|maybe|perhaps|possibly|likely|unlikely|presumably|apparently|supposedly|hopefully|allegedly"
        r"|seemingly|seems?|seemed|appears?|appeared|might|may|could|should|ought|theoretically|ideally|roughly|uncertain"
        r"|unsure|unclear|unverified|unconfirmed|untested)\b",
        r"\b(?:looks?|looked|sounds?|feels?)\s+(?:like|as|right|good|ok|okay|fine|done|complete|finished|installed|ready|to)\b",
        r"\b(?:doubt|suspect|hope|wonder|guess|presume|surmise|reckon|suppose|conjecture(?=\s+that))(?:s|d|ed|ing)?\b",
        r"\b(?:hoping|presuming|surmising|supposing)\b|\b(?:doubt|hope)ful(?:ly)?\b|\bdubious(?:ly)?\b|\bs[ck]eptical(?:ly)?\b",
        r"\bsuspicions?\b|\bsuspicious\s+(?:that|whether)\b|\bquestionable\b|\barguably\b|\bfingers\s+crossed\b|\bwho\s+knows\b",
        r"\b(?:I|we|one)(?:'(?:d|m|re|ve|ll))?(?:\s+(?:am|are|was|were|have|had|been|do|did|would|can|only|just|still|rather|\w+ly)){0,3}"
        r"\s+(?:think|believe|assume|expect|imagine|thought|believed|assumed|expected|fear|feared|bet|trust|estimate|gather|figure"
        r"|thinking|assuming|expecting|fearing|betting|trusting|afraid|inclined|dare\s+say|like\s+to\s+(?:think|believe))\b",
        r"\b(?:my|our)\s+(?:best\s+)?(?:hunch|impression|feeling|assumption|expectation|belief|fear|estimate|sense)\b",
        r"\b(?:in\s+theory|as\s+far\s+as\s+I|to\s+my\s+knowledge|more\s+or\s+less|must\s+have|not\s+certain"
        r"|(?:fairly|pretty|quite|reasonably|somewhat|moderately|mostly|kind\s+of|sort\s+of|(?:80|90|95|99)\s*%)\s+(?:sure|certain|confident))\b",
        r"\b(?:usually|typically|normally|generally|often|sometimes|(?<!will\s)(?<!'ll\s)always|by\s+default|in\s+general|tends?\s+to)\b",
        r"\b(?:for\s+example|for\s+instance|such\s+as|e\.g|example|hypothetical(?:ly)?|imagine|pretend|means|meaning|considered"
        r"|defined\s+as|refers?\s+to|definition|pre-?installed)\b",
    ),
    recall=any_of(
        r"\b(?:earlier|previously|yesterday|last\s+(?:time|turn|session|week|month|night|year)|in\s+(?:a|the|our|my)\s+(?:previous|prior|last|earlier)"
        r"|(?:days?|weeks?|months?|years?|hours?)\s+ago|back\s+then|as\s+before|formerly|used\s+to)\b",
    ),
    negation=any_of(
        r"\b(?:not|never|no|none|nothing|nobody|nowhere|neither|nor|cannot|without|unable|hardly|barely|scarcely|almost|nearly"
        r"|half|partly|partial|partially|incomplete|unsuccessful|unsuccessfully|except|excluding|instead\s+of|rather\s+than"
        r"|far\s+(?:from|away|off)|(?:long|fair|good)\s+way\s+(?:off|from|to\s+go|away)|distant|elusive|(?:out\s+of|within)\s+reach"
        r"|in\s+sight|nearing|approaching|closing\s+in|stopped\s+short|short\s+of)\b",
        r"\b[a-z]+n't\b|\b(?:dont|doesnt|didnt|isnt|arent|wasnt|werent|hasnt|havent|wont|cant|couldnt)\b",
        r"\bfail(?:s|ed|ure|ures|ing)?\b|\brefus(?:e|ed|es)\b|\bblocked\b|\bskipped\b|\bmissing\b|\black(?:s|ed|ing)?\b",
        r"\bun(?:finished|done|installed|saved|resolved|deployed|fixed|changed|written)\b",
        r"\b(?:pending|remaining|remains|outstanding|in\s+progress|underway|to-?do|tbd|soon|tomorrow|shortly|later\s+today)\b",
        r"(?<![0-9])[0-9]{1,2}(?:\.[0-9]+)?\s*(?:%|percent\b)|\b[0-9]+\s*(?:/|of|out\s+of)\s*[0-9]+\b",
        r"\bstill\s+(?:to|need|needs|open|running|waiting|working|trying|has|have|being|in)\b",
    ),
    future=any_of(
        r"\b(?:will|shall|gonna|going\s+to|about\s+to|to\s+be|to\s+get|to\s+have|must|can|let's|let\s+me|let\s+us|please|next"
        r"|plan|plans|planned|planning|intend|intends|want|wants|wanted|wish|need|needs|needed|has\s+to|have\s+to|had\s+to"
        r"|try|trying|attempt|attempted|attempting|wait|waiting|ready\s+to|goal|aim|due|scheduled\s+to|expected\s+to|being"
        r"|getting|currently|working\s+on|make\s+sure|ensure|check\s+that|verify\s+that|confirm\s+that|before|after)\b"
        r"|'ll\b",
    ),
    agenda=any_of(
        r"^\W*(?:next|afterwards|later|on\s+to)\b|^\W*(?:the\s+)?(?:plan|planned|agenda|to-?do|upcoming|coming\s+up)\s*:"
    ),
    order=any_of(
        r"^(?:please\s+|just\s+|always\s+|now\s+|first\s+|then\s+|also\s+|and\s+|do\s+)*(?:remember|don't\s+forget|be\s+sure|make\s+sure"
        r"|ensure|check|double-check|verify|confirm|see|test|validate|assume|pretend|say|tell|ask|mark|wait)\b",
    ),
    upcoming_round=any_of(
        r"\b(?:upcoming|coming|future|planned|scheduled|pending|about\s+to|going\s+to|to\s+come|(?:up|comes?|is|be|goes)\s+next|next\s+up"
        r"|starts?|begins?|starting|beginning|kick(?:s|ing)?\s+off|prepar(?:e|es|ing)|queued|awaits?|ahead|propose|suggest|recommend|next(?=\W*$))\b",
        r"\bround\s*#?[0-9]{1,3}\s+(?:(?:then|now|probably|itself)\s+)?(?:will|shall|should|would|can|must|may|might|is\s+to|needs?|'ll)\b"
        r"|\bround\s*#?[0-9]{1,3}(?:'s)?\s+(?:plan|goal|agenda|proposal)\b|\bround\s*#?[0-9]{1,3}'ll\b|\b[0-9]{1,3}(?:st|nd|rd|th)\s+round\s+(?:will|shall|is\s+to|needs?)\b",
    ),
    other_actor=any_of(
        r"\b(?:you|he|she|someone|somebody|anyone|everyone|people|users?|developers?|admins?)"
        r"(?:'ve|'re|'s|'d|\s+have|\s+has|\s+are|\s+is|\s+had)?(?:\s+\w+)?\s*$",
    ),
    file_word=any_of(
        r"\b(?:files?|pdf|zip|archive|document|image|screenshot|download|attachment|spreadsheet|folder|directory)\b",
        r"\b(?:file\s+)?size\b|\bweigh(?:s|ed|ing)?\b|\bin\s+size\b|\bon\s+disk\b",
        r"\b(?:saved|wrote|written|downloaded|uploaded|created|generated|exported|copied|compressed)\b",
    ),
    size_of_no_file=any_of(
        r"\b(?:memory|ram|vram|heap|swap|cache|buffer|bandwidth|traffic|quota|limit|limits|limited|maximum|minimum|max|min"
        r"|cap|capped|free|available|remaining|capacity|threshold|plan|tier|allowance|per|partition|volume|drive|stack)\b",
        r"\b(?:about|around|approximately|approx|roughly|circa|nearly|almost|under|over|below|above|between|up\s+to|at\s+least"
        r"|at\s+most|less\s+than|more\s+than|larger\s+than|smaller\s+than|exceed(?:s|ing)?|within|some)\b",
        r"\b(?:total|altogether|combined|sum|average|difference|smaller|larger|bigger|reduced|shrank|grew|saves?|saving|compression)\b",
        r"[~≈<>≤≥±]",
    ),
    part_of_proof=any_of(
        r"\b(?:node|lemma|branch|step|case|part|claim|subgoal|sub-goal|sub-?lemma|goal)\s+#?(?:[0-9]+|[A-Z]\b|n_)",
        r"\b(?:sub-?goal|lemma|one\s+of|some\s+of|most\s+of|this\s+(?:node|branch|case|step)|special\s+case|first\s+(?:node|branch|case|step))\b",
        r"\b(?:open|remain|remains|remaining|so\s+far|theorem\s+of|known\s+to)\b",
    ),
    round_progress=any_of(
        r"\b(?:prove[dn]|proofs?|nodes?|branch(?:es)?|frontiers?|explor\w+|deep_explore|closed|opened|dead\s+ends?|lemmas?)\b",
        r"\b(?:done|complete|completed|finished|concluded|ended|progress|results?|yielded|produced|over)\b",
    ),
    other_round=any_of(
        r"\b(?:of|in)\s+(?:the\s+)?(?:interviews?|funding|voting|negotiations?|tournament|draft|playoffs?|edits?|reviews?|tests?"
        r"|testing|feedback|game|match|championship|cup|chemo\w*|layoffs?|talks)\b",
        r"\b(?:interview|funding|voting|tournament|boxing|match|game|review|feedback|seed|investors?|series\s+[A-D]|fight|fighter|robin"
        r"|trip|table)\b",
    ),
)
