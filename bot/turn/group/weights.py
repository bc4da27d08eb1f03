"""How much each feature of `links` counts for a candidate, in log-odds. One line a feature.

They are the coefficients of a conditional logit (the candidates of one message compete) with a quadratic
penalty of 2. It was fitted to 600 labelled moments of a public IRC corpus, where the question was whether
the bot is meant, and at a tenth of the weight to those messages of the same moments that name somebody,
with the name hidden. The shares of earlier messages, from which features are read, were computed anew
with the found weights, three times. docs/groups.md tells how well that held on parts not fitted.
"""

WEIGHTS: dict[str, float] = {
    "last_other": -0.01,  # the last other speaker
    "rank": -0.19,  # others spoke since, a quarter each, four at most
    "distance": -0.09,  # messages since they spoke, logarithm
    "gap": -0.67,  # half minutes since they spoke, log1p
    "to_me": 1.76,  # share of the sender in what they said since the sender spoke
    "to_me_named": 1.01,  # ... where they named the sender
    "to_another": -0.63,  # their last message names somebody else
    "asked_room": 0.05,  # they asked the room, and this is no question
    "exchange_answered": 0.53,  # their share in the sender's last message, and they spoke since
    "exchange_open": 0.93,  # ... and they did not speak since
    "burst": 0.74,  # ... and the sender goes on at once
    "earlier": 0.69,  # shares of both in earlier messages of each other, log1p
    "answers_question": 0.77,  # they asked the sender, and this is no question
    "asks_back": -0.13,  # they spoke to the sender, and this is a question
    "subject": 2.11,  # words in common with what they said, log1p
    "second_person": -0.21,  # "you", and they spoke last
    "small_word": 0.29,  # thanks, ok or a laugh after they spoke to the sender
    "talked_about": 0.24,  # their name stands in the text without being called
    "correction": 0.11,  # "no, I meant" after they spoke to the sender
    "room": -1.43,  # nobody in particular
    "room_newcomer": -0.45,  # the sender said nothing before
    "room_question": -0.09,  # ... and asks
    "room_words": -0.05,  # "anyone", "everybody", 大家
    "room_monologue": -0.06,  # the share of the room in the sender's last message
    "room_untalked": -0.83,  # nobody spoke to the sender: one minus the highest share
    "room_length": -0.80,  # length of the text in forty characters, log1p
    "room_small": -0.12,  # thanks, ok or a laugh
}
