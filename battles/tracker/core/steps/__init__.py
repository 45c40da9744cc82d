"""The steps of a tracker: a frozen dataclass for each kind, how they are judged, stored, folded and undone."""
