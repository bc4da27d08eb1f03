"""Everything that a message brings, in words for a model."""

from bot.domain.message import Document, File, Image, Part, Quote, Text

_KINDS = {"voice": "voice message", "audio": "recording", "video_note": "video message"}


def in_words(part: Part) -> str:
    """A part of a message from people as text; what is not the speaker's own stands in brackets."""
    match part:
        case Text(text=text):
            return text
        case File(kind=("voice" | "audio" | "video_note") as kind):
            return f"\n[{_KINDS[kind]}]"
        case File(name=name, mime=mime):
            return f"\n[file: {name}, {mime}]"
        case Document(name=name, text=text, cut=cut):
            end = "the beginning of it" if cut else "end of file"
            return f"\n[file: {name}]\n{text}\n[{end}]"
        case Quote(author=author, text=text, forwarded=forwarded):
            return f"[{'forwarded from' if forwarded else 'in answer to'} {author}: {text}]\n"
        case Image(caption=caption):
            return f"\n[image{': ' if caption else ''}{caption}]"
        case _:
            raise TypeError(f"{type(part).__name__} does not come in")
