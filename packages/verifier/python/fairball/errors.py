"""Problems with a text or file, described for people."""


class Malformed(ValueError):
    """A text does not have the form that the protocol requires. The message is a plain sentence."""
