"""Groups of people who meet to play. A group owns game nights, its games and its standings."""
