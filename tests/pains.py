"""What users of such bots reported, as far as this product answers it.

Each entry is a promise. A test that keeps one carries `@pytest.mark.pain("12")`; tests/house/test_pains.py
fails when a promise has no test or a mark no promise.
"""

PAINS: dict[str, str] = {
    "1": "Broken or half-closed Markdown is delivered in full, formatted where it is valid, literal "
    "where it is not.",
    "2": "Every state of a streamed answer is one that Telegram accepts, and the last is the whole answer.",
    "3": "A long answer is split at sensible places; a split code block is closed and opened again with "
    "its language.",
    "4": "Lengths count as Telegram counts: UTF-16 units, so thousands of emoji make two messages and no "
    "error.",
    "5": "A flood limit is waited out as told; steps between are skipped, the final text arrives, other "
    "chats go on.",
    "6": "A deleted, unmodified or missing message or topic costs nothing: the answer arrives once, anew "
    "where needed.",
    "7": "A bot that was blocked or removed ends its turn quietly, and the chat is marked with the reason.",
    "8": "An empty, cut or filtered answer becomes a short honest line, never silence.",
    "9": "An error reaches a chat as a short literal line; its details stay in the log.",
    "10": "However often the process is restarted, each waiting message is answered once.",
    "11": "A kill between taking a message and answering it is healed by the next start.",
    "12": "A message that comes twice is answered once.",
    "13": "After a long outage direct messages are answered, old group talk is only read, and a flood is "
    "summed up.",
    "14": "Captions, albums, voice, documents, forwards, quotes and stickers arrive as one message, or "
    "get a clear line.",
    "15": "Mentions, tapped names and commands are taken for ours exactly when they are.",
    "16": "The answer to a question in a topic is in that topic.",
    "17": "A group that becomes a supergroup keeps its memory and settings.",
    "18": "Privacy mode that hides messages is told, with the way to change it.",
    "19": "A message edited while it is answered gets one answer, to its last text; a mere preview gets "
    "none.",
    "20": "Several short messages in a row are answered together, once.",
    "21": "A second instance on the same token is one clear log line and patient retries, not a crash.",
    "22": "A webhook call without the right secret is refused before anything of it is read.",
    "23": "Thanks between people are not answered.",
    "24": "A name inside another word does not call the bot.",
    "25": "Bots do not talk each other into the ground.",
    "26": "What a person told in private is not revealed to others.",
    "27": "In a group, what is remembered belongs to the one who said it.",
    "28": "A time of day that has passed means tomorrow, in the person's zone, and the draft says so.",
    "29": "A daily time is the same on the wall in summer and winter; one in the missing or the doubled hour "
    "fires once.",
    "30": "A time is meant in the person's zone, which is told by the browser or asked for once.",
    "31": "Recurrences and points of time in English and Chinese are read right, or asked about; "
    "impossible dates are refused.",
    "32": "Talk about the past or about facts is not taken for a wish for later.",
    "33": "After an outage each job fires once and says that it is late; what is too late is told and not "
    "done.",
    "34": "A job that ran does not run again after a restart.",
    "35": "Of any number of processes on one database one fires each due time.",
    "36": "A job that is deleted while it runs is gone, and stays gone.",
    "37": "A job that always fails is tried with growing pauses, then paused, and its owner is told once.",
    "38": "A draft expires, a new one visibly takes its place, and only an answer to it counts.",
    "39": "Odd but legal pieces of a model's stream (empty choices, null deltas, split calls) are read "
    "correctly.",
    "40": "A stream that breaks, stalls or is refused is retried or replaced before text was shown, and "
    "never repeated after.",
    "41": "Reasoning is hidden across any split of its tags, and talk about the tags is left alone.",
    "42": "A long history is trimmed to the budget, never amid a pair of call and result; the newest "
    "message stays whole.",
    "43": "A context that the provider finds too long is compacted and tried once more.",
    "44": "A tool's schema that providers refuse is mended; one that cannot be is set aside by name, and the "
    "rest work.",
    "45": "Every tool of every server has a name that providers take and nobody else has.",
    "46": "A server that hangs, dies, babbles or comes back different holds up nobody else; it is "
    "tried again.",
    "47": "A tool's result is cut, described or shown between marks it cannot close, never obeyed.",
    "48": "Arguments that are no JSON object are told to the model precisely instead of crashing the turn.",
    "55": "Two Chinese characters, mixed scripts, Japanese and Korean are found.",
    "56": "Another embedding model means a new index in the background; nothing is lost and search works "
    "meanwhile.",
    "57": "A newer fact closes the one it contradicts, which stays as history with its dates.",
    "58": "What is to be forgotten is shown first, then gone from answers, index and exports.",
    "59": "Writers, long reads, a full disk or an older database never show a person `database is locked` "
    "or a broken file.",
    "50": "A tool that changed what it says of itself is hidden until it is approved again.",
    "60": "Hostile Markdown and HTML in an answer is inert and fast in the web page.",
    "61": "A page of another origin, or a rebound name, cannot talk to the bot.",
    "62": "A secret shows up in no error, log, export or printed configuration.",
    "64": "A stranger is told once how to ask for access, and then nothing; one press lets them in.",
    "P001": "A text about Markdown, with a lone fence and an unfinished link, arrives with every character.",
    "P002": "Underscores between two addresses are kept: both links stay alive.",
    "P003": "Markers inside the target of a link stay part of the address.",
    "P005": "Code spans keep their spaces, and names with underscores stay plain.",
    "P006": "A text that just fits is one message; formatting never makes it too long.",
    "P007": "A cut falls neither into a surrogate pair nor into a joined emoji.",
    "P008": "A long ban is respected for that chat only; the answer is kept and sent when it is over.",
    "P009": "A refused last edit is tried again after the wait; there is one copy and no cursor left in it.",
    "P010": "Wherever a stream is cut off, the chat ends with exactly one whole copy.",
    "P011": "No draft stays beside the answer.",
    "P012": "A late draft cannot overtake the final message.",
    "P013": "A live draft never keeps a person from stopping the answer.",
    "P014": "A table arrives aligned and with every cell.",
    "P016": "Everything that goes out in a topic carries the topic.",
    "P017": "Topics of a private chat have answers and sessions of their own.",
    "P018": "The command menu fits Telegram's rules, or is shortened and told.",
    "P019": "What a button carries fits into 64 bytes.",
    "P020": "The sign of typing lasts as long as the work, ends with it, and its failure costs nothing.",
    "P022": "A mention in a caption calls the bot.",
    "P023": "Mentions are found by UTF-16 offsets, after any emoji.",
    "P024": "A tapped name without @ calls the bot it belongs to, and no other.",
    "P025": "The bot's handle inside an address, a longer name or code does not call it.",
    "P026": "A reply brings along what it replies to, with its author, as data.",
    "P027": "A question about someone's message brings that message along.",
    "P028": "Every caption of an album is kept.",
    "P030": "A long paste that the client cut into pieces is one message.",
    "P031": "A comment and the forward it is about are one message.",
    "P032": "A waiting message that is edited is answered as edited.",
    "P035": "A voice note without speech recognition gets a clear line, and no empty question goes to the "
    "model.",
    "P036": "A file that is too large for bots gets a clear line, once.",
    "P037": "A hostile file name is cleaned for display and never a path.",
    "P038": "A brief conflict heals by itself; a long one is told and retried with patience.",
    "P039": "A failed attempt to recover is followed by another.",
    "P040": "What was sent while the bot was down is answered.",
    "P041": "Updates answered before a kill are not answered again after it.",
    "P042": "Webhook mode without a secret does not start.",
    "P043": "Two bots do not answer each other for ever.",
    "P045": "A command of another bot is left to that bot.",
    "P046": "A quote of the bot addressed to somebody else is not answered.",
    "P047": "A second person's question during a long turn is not ignored.",
    "P048": "What one person told in private is in no other's context, in private or in a group.",
    "P053": "The word stop, in five languages, ends the answer that is being written; a message that must "
    "wait is marked as seen.",
    "P054": "Two messages at once are both answered, and neither twice.",
    "P055": "Silence in a group is a decision; a word for it that a model says is never shown, and who "
    "asked gets an honest line.",
    "P056": "Chunks with usage only, or with nothing, are read without a fault.",
    "P057": "Two calls under one index stay two calls.",
    "P059": "Calls without an index, or counted from one, are read correctly.",
    "P060": "A reasoning tag that is never closed, or never opened, costs no answer and leaks no thought.",
    "P062": "A call with broken arguments does not poison the session.",
    "P063": "Arguments that are JSON but no object get a precise error; none at all is a call without "
    "arguments.",
    "P064": "A cancelled turn leaves no call without a result in the history.",
    "P066": "Tokens of Chinese text are estimated on the safe side, so the history fits the first time.",
    "P068": "A stream that is alive but says nothing is given up for the next provider.",
    "P070": "Every provider of a chain gets its turn.",
    "P071": "A retry does not repeat what was already shown.",
    "P072": "One broken line in a stream costs that line, not the answer.",
    "P073": "Local models bypass the proxy; proxies can be set one by one; a wrong one is named.",
    "P075": "Reloading servers leaves no task behind, and a dead one is tried with growing pauses.",
    "P076": "A call that takes too long, or a server that dies of it, is an error for the model and "
    "nothing more.",
    "P077": "A wrong command of one server leaves the others alone, and is told with what it said.",
    "P078": "Schemas that say nothing, or nonsense, become acceptable objects; one bad tool does not take "
    "the others along.",
    "P079": "Names with dots, colons, Chinese or 90 letters become valid, stay apart, and reach the server "
    "as they are.",
    "P081": "Lines on stdout that are no messages are skipped and counted.",
    "P082": "A huge result keeps its head and tail, binary is described, and a structured error is read as "
    "one.",
    "P094": "On a machine in UTC times are read in the zone that the person's browser tells.",
    "P101": "A wish for later becomes a draft without a model, and a promise of a model without a "
    "task is corrected.",
    "P104": "“That reminder” is the one that came last; it is named, and stopped after a yes.",
    "P106": "For anybody but its owner a task does not exist.",
    "P107": "A time at the end and lists of days are read.",
    "P109": "Ordinals and ends of months are read right, or asked about.",
    "P110": "Half hours, quarters and times in words are right to the minute.",
    "P111": "A weekday with an hour is that weekday, also late in the evening.",
    "P112": "A day without a time gets the default hour, and the draft says so.",
    "P113": "The order of day and month follows the person's locale, or is asked.",
    "P114": "Both readings of a next weekday are offered, with the full date.",
    "P117": "Chinese durations are read right, and assumed hours are told.",
    "P118": "Queries of two Chinese characters, kana and hangul are found by words alone.",
    "P121": "Vectors of another width mean a new index; what is stored meanwhile is kept.",
    "P122": "Where the vector extension cannot be loaded, search goes on by words and doctor says so.",
    "P123": "Many writers, a long reader and a backup at once lose no row.",
    "P134": "No secret stands in any log line, event or metric, whatever fails.",
    "P136": "Enter that confirms a candidate of an input method does not send.",
    "P137": "A reload, a lost network or a restart in the middle of an answer loses and repeats no word.",
    "P139": "A stream that went silent behind a proxy is noticed and resumed.",
    "P140": "No image or address in an answer makes the browser send a request.",
    "P141": "Links that the model wrote are not previewed by themselves.",
}
