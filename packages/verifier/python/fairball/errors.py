"""What is wrong with a text or file, said for people."""


class Malformed(ValueError):
    """A text that the protocol does not let be what it should be. Its message is a plain sentence."""
