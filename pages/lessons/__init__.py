"""A collection as a lesson: the classes that answer its questions, and the hand-out for paper."""
