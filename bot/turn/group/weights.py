"""How much each feature of `links` counts. One line a feature; positive speaks for the candidate.

Set by a conditional logit (the candidates of one message compete) with a quadratic penalty of 2, fitted
on a public, disentangled IRC corpus (600 moments), where the target was whether the bot is meant, and on
the messages of the same moments that name somebody, with the name hidden, at a tenth of the weight. The
features that use the shares of earlier messages were recomputed with the new weights three times.
"""

WEIGHTS: dict[str, float] = {
    "last_other": -0.05,
    "rank": -0.16,
    "distance": -0.13,
    "gap": -0.67,
    "to_me": 1.77,
    "to_me_named": 1.01,
    "to_another": -0.63,
    "asked_room": 0.05,
    "exchange_answered": 0.51,
    "exchange_open": 0.90,
    "burst": 0.76,
    "earlier": 0.70,
    "answers_question": 0.77,
    "asks_back": -0.15,
    "subject": 2.11,
    "second_person": -0.21,
    "small_word": 0.41,
    "talked_about": 0.25,
    "correction": 0.10,
    "room": -1.44,
    "room_newcomer": -0.45,
    "room_question": -0.09,
    "room_words": -0.05,
    "room_monologue": -0.06,
    "room_untalked": -0.84,
    "room_length": -0.80,
    "room_small": -0.11,
}
