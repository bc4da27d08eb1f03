"""How a message sounds: like a wish for something to be done, or like news and talk."""

import re

_WISH = re.compile(
    r"^\W*(?:please|can you|could you|would you|help|let'?s|let us|write|make|create|build|give|show|turn"
    r"|plan|draft|prepare|find|look|check|add|design|improve|translate|explain|teach|i need|i want"
    r"|i'd like|we need|how (?:do|should|can|would) (?:i|we|you))\b"
    r"|帮我|帮忙|请|给我|怎么|我想|做一|写一|一下|^把|^por favor|ayúda|कृपया|मदद|ساعدني|من فضلك",
    re.IGNORECASE,
)
# What a model answers from what it knows.
_FACT = re.compile(
    r"^\W*(?:how (?:many|far|tall|old|deep|heavy|long (?:is|does|did|should))"
    r"|who (?:is|was|wrote|won|invented|are)"
    r"|what(?:'s| is) the (?:capital|population|meaning|weather|time|date|difference)"
    r"|what (?:day|time|colou?r)|(?:is|are|do|does|can) (?:\w+ ){1,3}(?:a|an|safe|bad|good|eat|dream)\b"
    r"|where (?:is|are|do)|when (?:is|was|did)|why (?:is|are|do|does))\b"
    r"|^(?:为什么|谁|哪里)|(?:有多|多少)(?:高|远|长|大|米|公里)?[^钱]{0,4}[?？]?$|是(?:谁|哪里|哪儿|哪一天)",
    re.IGNORECASE,
)
# What happened to somebody, and what is the business of memory and reminders.
_NEWS = re.compile(
    r"^\W*(?:i|we)(?: just| finally| have|'ve)? (?:got|went|was|were|had|passed|moved|met|saw|bought|am"
    r"|feel)\b|^\W*(?:i'm|my \w+(?: \w+)?(?:'s)? (?:is|was|has|will)|remember that|remind me|what did i"
    r"|did i|where did i|any plans|ok|thanks?)\b"
    r"|^我(?!想|要|需|有|在|们).{0,12}了[!！。~]*$|提醒我|叫我起床|^记住|我(?:刚才|之前|昨天)",
    re.IGNORECASE,
)


def is_wish(message: str) -> bool:
    """Whether somebody wants something done, by the usual words for that."""
    return _WISH.search(message) is not None


def is_news(message: str) -> bool:
    """Whether somebody tells something, or asks what memory and reminders answer."""
    return _NEWS.search(message) is not None


def is_fact(message: str) -> bool:
    """Whether somebody asks for a fact, by the usual words for that."""
    return _FACT.search(message) is not None
