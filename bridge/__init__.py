"""The laws and the notations of contract bridge: pure functions and small frozen types, without Django (README.md).

A card is two characters, suit first: "SA", "HT", "D2". Every refusal raises a `BridgeError`.

The terms of the game, and how they are written:
    cards, seats, contract, vulnerability, dates    what a letter or a text of a file stands for
    layout, auction, play                           52 cards and their points, calls and cards, legal or refused
    board, texts, errors                            the record of one board, which files and the database share
The laws, and what players count:
    scores, ranking                                 scores, directors' scores, matchpoints, IMPs, victory points, ranks
    double_dummy, play_analysis, verdict            what a solver's tricks mean: par, costs of cards, sentences
For people:
    decisions, field                                whom a board asks for a decision, and what other tables did there
    names, diagram, replay                          words and symbols, a board to look at, and step by step
    lessons                                         a teacher's commentary without what is written for programs
Files:
    formats                                         what other programs read and write; nothing outside it knows them

`python -m bridge FILE` says what is in a file.
"""
