"""What the battle's page takes from the tracker."""

from __future__ import annotations

import pytest

from battles.result.core.story import DICE_PHRASES, story_rounds
from tests.battles.tracker.core.memory_tracker import Play


@pytest.fixture
def play() -> Play:
    """Bow-Mice shoot at Hoppers, who lose two models and flee; then the round ends."""
    play = Play()
    play.begin()
    play.fight("A4", "B5", "shoot", [10, 10, 1, 1], [1, 1], [8])
    play.do("round_over")
    return play


def test_story_tells_the_losses_but_not_the_dice(play):
    story = [sentence for _, sentences in story_rounds(play.steps) for sentence in sentences]
    assert any("2 mice fall" in sentence for sentence in story)
    assert not [sentence for sentence in story for phrase in DICE_PHRASES if phrase in sentence]


def test_story_tells_of_a_unit_ridden_down_in_flight(play):
    """FLEE-06"""
    play.do("fight", unit="A3", target="B5", how="charge")
    story = [sentence for _, sentences in story_rounds(play.steps) for sentence in sentences]
    assert [sentence for sentence in story if sentence.endswith(": removed, caught in flight.")], story


def test_story_names_renamed_kingdoms_as_they_are_called_today(play):
    old = str(story_rounds(play.steps))
    assert "Thistledown" in old
    story = str(story_rounds(play.steps, {"A": "Thistledown", "B": "Mole End"}))
    assert "Mole End’s" in story
    assert "Oakhold" not in story
    assert story == old.replace("Thistledown", "Mole End").replace("Oakhold", "Thistledown")


@pytest.mark.parametrize("phrase", DICE_PHRASES)
def test_phrase_that_marks_dice_is_in_the_sentences_of_the_tracker(play, phrase):
    """The rulebook and the tracker word these sentences; logs of older battles have them too."""
    sentences = [sentence for step in play.steps for sentence in step.sentences]
    assert [sentence for sentence in sentences if phrase in sentence], sentences
