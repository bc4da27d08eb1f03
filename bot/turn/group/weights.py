"""How much each feature of `links` counts for a candidate, in log-odds. One line a feature.

They are the coefficients of a conditional logit (the candidates of one message compete) with a quadratic
penalty of 2. It was fitted to 600 labelled moments of a public IRC corpus, where the question was whether
the bot is meant, and at a tenth of the weight to those messages of the same moments that name somebody,
with the name hidden. The shares of earlier messages, from which features are read, were computed anew
with the found weights, three times. docs/groups.md tells how well that held on parts not fitted.
"""

WEIGHTS: dict[str, float] = {
    "rank": -0.29,  # others spoke since, a quarter each, four at most
    "gap": -0.69,  # half minutes since they spoke, log1p
    "to_me": 1.76,  # share of the sender in what they said since the sender spoke
    "to_me_named": 0.99,  # ... where they named the sender
    "to_another": -0.62,  # their last message names somebody else
    "exchange_answered": 0.53,  # their share in the sender's last message, and they spoke since
    "exchange_open": 0.91,  # ... and they did not speak since
    "burst": 0.75,  # ... and the sender goes on at once
    "earlier": 0.69,  # shares of both in earlier messages of each other, log1p
    "answers_question": 0.75,  # they asked the sender, and this is no question
    "subject": 2.11,  # words in common with what they said, log1p
    "small_word": 0.29,  # thanks, ok or a laugh after they spoke to the sender
    "talked_about": 0.24,  # their name stands in the text without being called
    "room": -1.42,  # nobody in particular
    "room_newcomer": -0.45,  # the sender said nothing before
    "room_untalked": -0.82,  # nobody spoke to the sender: one minus the highest share
    "room_length": -0.78,  # length of the text in forty characters, log1p
}

# How much each sign of `remarks` counts, in log-odds: the coefficients of a logistic regression with a
# quadratic penalty of 1, fitted to labelled remarks and to the remarks of the own moments.
REMARKS: dict[str, float] = {
    "bias": -1.01,
    "negated": 1.90,
    "contrast": 0.99,
    "corrects": 2.29,
    "source": 1.62,
    "trouble": 2.62,
    "still": 0.88,
    "lost": 1.98,
    "need": 2.27,
    "degree": 2.40,
    "fragment": 3.10,
    "order": 2.89,
    "you": 0.45,
    "exclaims": -1.57,
    "judges": -2.60,
    "plans": -2.21,
    "tells": -1.08,
    "started": -1.63,
    "settled": -2.00,
    "feeling": -1.17,
    "admires": -0.20,
    "resolved": -1.05,
    "astonished": -0.77,
    "fact": 2.50,
    "number": 0.69,
    "opens": -0.58,
    "had": 0.79,
    "group": -0.38,
}
