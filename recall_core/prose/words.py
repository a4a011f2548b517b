"""The words that decide what a sentence about replacement is worth, as tables. A blank stands for one blank."""

# ruff: noqa: E501, ISC004 - a table of patterns is read by its rows

from recall_core.prose.candidate import Refusal

NOUNS = (
    "architecture decision record", "architectural decision record", "decision record", "design document",
    "design doc", "enhancement proposal", "improvement proposal", "request for comments", "memorandum", "memo",
    "document", "doc", "proposal", "specification", "spec", "rfc", "adr", "rfd", "pep", "kep", "decision", "record",
    "enhancement", "standard", "page", "runbook", "playbook", "guide", "guideline", "policy", "plan", "report",
    "article", "entry", "file", "memory", "draft", "text", "one-pager", "postmortem", "procedure", "how-to",
)  # fmt: skip
"""What a memo calls itself and its like: `this memo`, `the earlier proposal [[a]]`. The corpus adds its own kinds."""

WEAK_NOUNS = (
    "protocol suite", "protocol specification", "protocol extension", "protocol", "extension", "design", "approach",
    "scheme", "format", "feature set", "version", "work", "effort", "idea", "initiative", "note", "convention",
)  # fmt: skip
"""What may mean the memo or what it is about. Above the first section it is the memo; elsewhere nobody can tell."""

ADJECTIVES = (
    "the", "a", "an", "both", "our", "any", "all", "each of", "now", "already", "earlier", "older", "previous",
    "previously accepted", "prior", "preceding", "former", "existing", "original", "old", "initial", "first", "second",
    "third", "obsolete", "deprecated", "defunct", "legacy", "outdated", "stale", "withdrawn", "rejected", "superseded",
    "accepted", "draft", "experimental", "current", "two", "three", "four", "later", "newer", "new", "simpler",
    "following", "entire", "whole", "never-adopted", "abandoned", "more recent", "recent", "subsequent", "updated",
)  # fmt: skip
"""What may stand before a bare object, and leaves it bare."""

WHERE = "documented in|described in|recorded in|specified in|defined in|published as|known as|numbered|outlined in"
"""Behind a memo's noun: `the proposal documented in X` is X."""

WHOLLY = "entirely|completely|fully|altogether|outright|in full|in its entirety|in their entirety|as a whole|wholesale"

ADVERBS = (
    "hereby", "also", "now", "thereby", "thus", "therefore", "then", "already", "since", "once and for all", "both",
    "long", "just", "recently", "explicitly", "formally", "officially", "directly", "simply", "completely", "fully",
    "entirely", "wholly", "further", "in turn", "herewith", "in full", "jointly", "together", "is", "are", "was",
    "were", "be", "been", "being", "has", "have", "had", "gets", "got", "becomes", "became", "made", "makes", "and",
    "itself", "do", "does", "did", "intentionally", "deliberately", "immediately",
)  # fmt: skip
"""What may stand between a subject and a plain verb."""

MODALS = (
    "not", "never", "no longer", "may", "might", "could", "would", "should", "can", "cannot", "must", "will", "shall",
    "won't", "doesn't", "don't", "didn't", "isn't", "wasn't", "hasn't", "haven't", "aren't", "weren't", "shouldn't",
    "to", "going", "about", "intended", "meant", "expected", "designed", "supposed", "planned", "aims", "aim", "tries",
    "attempts", "seeks", "hopes", "hope", "wants", "want", "intends", "plans", "plan", "proposes", "propose",
    "proposed", "proposing", "suggests", "partially", "partly", "in part", "mostly", "largely", "mainly", "only",
    "effectively", "essentially", "practically", "virtually", "almost", "nearly", "probably", "possibly", "perhaps",
    "maybe", "likely", "presumably", "arguably", "apparently", "supposedly", "allegedly", "reportedly", "eventually",
    "soon", "later", "ultimately", "in effect", "in spirit", "in practice", "in some ways", "in some cases",
    "in places", "more or less", "sort of", "kind of", "seems", "appears", "need", "needs", "used", "neither", "nor",
    "either", "conceptually", "implicitly", "temporarily", "provisionally", "tentatively", "potentially", "if",
    "accepted", "approved", "for now", "in many ways", "at least", "rather than", "without", "by", "even", "yet",
    "in principle", "somewhat", "hardly", "barely", "scarcely", "anyway", "that", "it", "fails", "failed", "ever",
)  # fmt: skip
"""What may stand there too, and is looked at by the tables below."""

HOLDS: tuple[tuple[Refusal, str], ...] = (
    (
        Refusal.REPORTED_SPEECH,
        r"(?:says?|said|saying|claims?|claimed|states?|stated|writes?|wrote|announce[sd]?|argue[sd]?|reports?|reported"
        r"|told|tells|believe[sd]?|thinks?|thought|heard|insist(?:s|ed)?|suggest(?:s|ed)?|asserts?|asserted|mentions?"
        r"|mentioned|implie[sd]|hints?|hinted|maintains|quot(?:e[sd]?|ing)|assumes?|assumed|read(?:s)?)\b(?! by\b)"
        r"|according to|reportedly|allegedly|supposedly|rumou?r|in the words of|in (?:his|her|their) view|opinion",
    ),
    (
        Refusal.NEGATED,
        r"(?:not|never|neither|nor|cannot|without|nothing|nobody|none|no one|hardly|barely|scarcely)\b|\w+n['\u2019]t\b"
        r"|rather than|instead of|no longer (?:super|replac|obsolet|deprecat|retir)|far from|stops? short|fail(?:s|ed)? to"
        r"|anything but|refus(?:es|ed) to|declin(?:es|ed) to|no (?:memo|document|decision|proposal|\w+ that|need|plan)"
        r"|myth|mistaken|wrong(?:ly)? |incorrect|untrue|false|by no means|used to ",
    ),
    (
        Refusal.CONDITIONAL,
        r"(?:if|unless|whether|would|provided (?:that|it|this|the)|assuming|suppose|supposing|in case|were to|had it|should (?:this|it)"
        r"|until|once|when|whenever|as soon as|as long as|pending|subject to|only after|in the event)\b",
    ),
    (
        Refusal.PROPOSAL,
        r"(?:propos(?:es?|ed|ing) (?:to|that|replac\w+|super\w+|retir\w+|deprecat\w+)|proposal to|recommends?|suggests?"
        r"|we should|should|wants? to|let['\u2019]?s|let us|need(?:s|ed)? to|must|seeks? to|rescind|options?|ideas?)\b",
    ),
    (
        Refusal.HEDGED,
        r"(?:may|might|could|can|possibly|probably|perhaps|maybe|likely|presumably|arguably|apparently|seem(?:s|ed)?"
        r"|appears?|effectively|essentially|practically|virtually|almost|nearly|in effect|in spirit|in practice"
        r"|more or less|sort of|kind of|intend(?:s|ed)?|meant|aims?|tries|trying|attempts?|hopes?|hoped|expected|designed"
        r"|supposed|conceptually|implicitly|temporar(?:y|ily)|provisional(?:ly)?|tentative(?:ly)?|potential(?:ly)?|unclear"
        r"|not sure|unsure|in many ways|in some ways|in principle|somewhat|de facto|so to speak|as it were|basically"
        r"|for now|we think|i think|i guess|example|e\.g\.|for instance|pretend|imagine|hypothetical(?:ly)?|fictional)\b",
    ),
    (
        Refusal.FUTURE,
        r"(?:will|shall|won['\u2019]t|going to|about to|to be|to (?:supersede|replace|obsolete|retire|deprecate)"
        r"|eventual(?:ly)?|soon|later|next (?:year|quarter|month|week|release|version|sprint)|planned|plans?|upcoming"
        r"|in (?:the )?future|future|someday|one day|ultimately|tomorrow|by (?:the end of|q[1-4]))\b",
    ),
    (
        Refusal.PARTIAL,
        r"(?:partial(?:ly)?|partly|in part|parts? of|portions? of|pieces? of|sections?|chapters?|clauses?|paragraphs?"
        r"|appendix|some of|most of|half of|many of|bits of|much of|aspects? of|elements of|mostly|largely|mainly|only"
        r"|in places|in some cases|in certain|except|excluding|apart from|aside from|other than|at least|save for"
        r"|bullets?|rows?|tables?|steps?|rules?|items?|limited to|to the extent|insofar|with respect to|with regard to"
        r"|as far as|regarding|concerning|behaviou?rs?)\b",
    ),
)
"""What holds a claim back when it stands between the start of its clause and the end of its object."""

AFTER: tuple[tuple[Refusal, str], ...] = (
    (
        Refusal.PARTIAL,
        r"(?:except|excluding|apart from|aside from|other than|but (?:not|only|keeps?|leaves?)|only|in part|partial(?:ly)?"
        r"|partly|mostly|largely|mainly|at least|save for|with the exception|(?:still|remains?|continues?|stays?) (?:to )?"
        r"(?:valid|appl(?:y|ies)|holds?|in force|in effect|current|authoritative|normative)|insofar|to the extent"
        r"|with respect to|with regard to|regarding|concerning|as far as|limited to|(?:its|their) [a-z]+ (?:claims?|parts?"
        r"|sections?|rules?))\b",
    ),
    (
        Refusal.CONDITIONAL,
        r"(?:if|unless|provided (?:that|it|this|the)|assuming|pending|subject to|as soon as|once (?:it|this|accepted|approved|merged"
        r"|we|the)|until|when(?:ever)? (?:it|this|we|accepted|approved|the|they))\b",
    ),
    (
        Refusal.NEGATED,
        r"(?:reinstat(?:ed?|es|ing)|restored|revived|revert(?:ed|s)?|rolled back|undone|is no longer (?:true|so|the case)"
        r"|was (?:wrong|a mistake|an error)|retracted|or so (?:it|they|we)|not true|turned out)\b",
    ),
    (
        Refusal.REPORTED_SPEECH,
        r"(?:says?|said|claims?|claimed|wrote|writes|according to|reportedly|allegedly|argue[sd]?|thinks?|believe[sd]?)\b",
    ),
    (Refusal.HEDGED, r"(?:perhaps|maybe|probably|possibly|i think|we think|for now|for example|in spirit|sort of)\b"),
    (
        Refusal.FUTURE,
        r"(?:eventually|next (?:year|quarter|month|week|release|version|sprint)|in (?:the )?future|soon)\b",
    ),
)
"""What takes a plain claim back behind its object: after a comma, a dash, a semicolon or in brackets."""

NEXT: tuple[tuple[Refusal, str], ...] = (
    (
        Refusal.NEGATED,
        r"(?:reinstat(?:ed|es)|restored|revived|reverted|rolled back|undone|no longer (?:true|so|the case)|was (?:wrong|a "
        r"mistake|an error))\b",
    ),
    (Refusal.PARTIAL, r"\b(?:only (?:its|the|in)|the rest of|everything else|all other (?:parts|sections|rules))\b"),
)
"""What takes a claim back in the next sentence, when that one begins with `it`, `this`, `that`, `however` or a name."""

BEHIND: tuple[tuple[Refusal | None, str], ...] = (
    (
        Refusal.PARTIAL,
        r"['\u2019]s?\b| ?\u00a7| ?\#|[ ]\(?(?:sections?|sec\.|parts?|clauses?|chapters?|paragraphs?|appendix|step|rule|[a-z]{1,2}-?[0-9]+)\b"
        r"| (?:for|in|on|within|where|regarding|concerning|with (?:respect|regard)|as (?:far|regards)|only|when|during|at|to the"
        r"|except|but|apart|excluding|other than|mostly|partly|partially|largely)\b",
    ),
    (Refusal.CONDITIONAL, r" (?:if|unless|once|provided|assuming|as soon|pending|until|subject|after)\b"),
    (None, r" (?:by|with|while|as|because|since|due|from|following|through|via|under|using|so|to|before|per|thanks)\b"),
    (Refusal.PARTIAL, r" [\w\u0060\ue000-\ue004]|-\w"),
)
"""What follows an object directly and makes the claim no proof; None holds it back from proof alone."""

EXAMPLES = (
    "example", "examples", "e.g", "eg", "for example", "for instance", "sample", "template", "usage", "syntax", "wrong",
    "bad", "good", "incorrect", "correct", "instead of", "don't", "do", "before", "after", "quote", "todo",
)  # fmt: skip

PREFIX = (
    r"(?:note that|please note that|please note|note|therefore|thus|hence|so|in short|in summary|consequently"
    r"|accordingly|finally|as such|today|now|hereby|and|also|additionally|in addition|moreover|furthermore"
    r"|effective (?:immediately|today|on [\w-]+|[\w-]+)|as of (?:today|now|[\w-]+(?: [\w-]+){0,2})|on [0-9][\w-]+|since [0-9][\w-]+"
    r"|(?:combined|together|along|in combination|jointly) with [\ue000-\ue002]|with this (?:change|decision)"
    r"|in [0-9]{4}|(?:due to|because of|given|owing to|thanks to) [^,;]{1,120}|in consequence|as a result|for the record|in other words|to be clear)"
)
"""What may open a sentence before the subject of a proof."""

STATUS_HEADINGS = (
    r"(?:status|supersession|superseded|supersedes|replaces|replaced|replacement|obsoletes|obsoleted|deprecated"
    r"|deprecation|deprecation notice|notice|withdrawal|(?:\w+ )?withdrawal(?: notice)?|rejection(?: notice)?|pronouncement|resolution|note|notes"
    r"|current status|lifecycle|history|update|updates|addendum)"
)
"""Headings under which a sentence without subject is about the memo."""

HOLDING_HEADINGS: tuple[tuple[Refusal, str], ...] = (
    (Refusal.ALTERNATIVE, r"alternatives?\b|(?:considered )?options?\b|rejected\b|discarded|other approaches"),
    (Refusal.QUOTED, r"examples?\b|templates?\b|sample\b|syntax\b|usage\b|how to write"),
    (Refusal.FUTURE, r"future\b|road ?map|next steps|follow-?ups?\b|later\b|to ?do\b"),
    (Refusal.QUESTION, r"(?:open|unresolved|unanswered) (?:questions?|issues?)|questions?\b|faq\b"),
)
"""Headings that hold back what stands under them."""

WITHDRAWN = (
    r"(?:withdrawn|rejected|retracted|abandoned|closed|dropped|deprecated|obsoleted?|retired|discontinued|declined|superseded"
    r"|replaced|archived|shelved)"
)
"""What happens to a memo in favour of another."""

STRONG_WITHDRAWN = r"(?:withdrawn|rejected|retracted|abandoned|closed|deprecated|obsoleted?|retired|discontinued|superseded|replaced|archived)"

COORDINATED = (
    "adds", "aligns", "allows", "amends", "applies", "asks", "borrows", "brings", "builds", "carries", "changes",
    "clarifies", "closes", "collects", "combines", "completes", "consolidates", "covers", "defines", "deprecates",
    "describes", "documents", "drops", "ends", "establishes", "expands", "extends", "fixes", "folds", "generalises",
    "generalizes", "gives", "incorporates", "introduces", "is", "keeps", "makes", "merges", "moves", "obsoletes",
    "opens", "raises", "reflects", "removes", "renames", "replaces", "requires", "restates", "retires", "revises",
    "sets", "should", "simplifies", "specifies", "splits", "standardises", "standardizes", "starts", "states",
    "supersedes", "takes", "turns", "unifies", "updates", "uses", "was", "were", "has", "had", "will", "withdraws",
)  # fmt: skip
"""Verbs that may go on behind `and` after the object of a proof."""

AUGMENTING = (
    "augments?|augmenting|extends?|extending|complements?|supplements?|supplementing|amends?|amending|refines?"
    "|builds? (?:up)?on|expands? (?:up)?on|elaborates? on|enhances?"
)
"""Verbs that leave the other memo in force."""
