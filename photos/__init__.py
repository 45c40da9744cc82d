"""Photos that people attach to something: a play, a battle. Apps above register what can have photos."""
