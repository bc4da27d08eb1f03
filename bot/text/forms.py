"""Forms of common words that no stemmer brings together: a question says "buy", the answer "bought"."""

_ENGLISH = """
    become became; begin began begun; bite bit bitten; blow blew blown; break broke broken; bring brought;
    build built; buy bought; catch caught; choose chose chosen; come came; deal dealt; draw drew drawn;
    dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt;
    fight fought; find found; fly flew flown; forget forgot forgotten; freeze froze frozen; give gave given;
    go went gone goes; grow grew grown; hear heard; hide hid hidden; hold held; keep kept; know knew known;
    lead led; learn learnt; leave left; lend lent; light lit; lose lost; make made; mean meant; meet met;
    pay paid; ride rode ridden; rise rose risen; run ran; see saw seen; seek sought; sell sold; send sent;
    shake shook shaken; shine shone; shoot shot; sing sang sung; sink sank sunk; sit sat; sleep slept;
    speak spoke spoken; spend spent; stand stood; steal stole stolen; strike struck; swear swore sworn;
    swim swam swum; take took taken; teach taught; tear tore torn; tell told; think thought;
    throw threw thrown; understand understood; wake woke woken; wear wore worn; win won; write wrote written;
    child children kid kids; man men; woman women; mouse mice; foot feet; tooth teeth; person people;
    wife wives; life lives; mom mum mother; dad father; grandma grandmother; grandpa grandfather;
    photo picture; tv television; bike bicycle; fridge refrigerator
"""


def _by_word(table: str) -> dict[str, tuple[str, ...]]:
    groups = [tuple(group.split()) for group in table.split(";")]
    return {word: group for group in groups for word in group}


_FORMS = _by_word(_ENGLISH)


def forms(word: str) -> tuple[str, ...]:
    """The word itself, first, and the other forms it may take in a text."""
    group = _FORMS.get(word, ())
    return (word, *(other for other in group if other != word))
