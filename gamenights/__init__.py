"""Game nights: plan, meet, play any game, remember who won."""
