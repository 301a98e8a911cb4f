"""Reading and showing cards, and the decks."""

import doctest

import pytest

import domain.cards
from domain.cards import ACE, JOKER, RANKS, SUITS, card, deck, parse, rank_of, show, suit_of


def test_a_card_is_its_rank_times_four_plus_its_suit() -> None:
    for rank, rank_text in enumerate("23456789TJQKA"):
        for suit, suit_text in enumerate("cdhs"):
            assert card(rank_text + suit_text) == rank * 4 + suit
    assert card("Jk") == JOKER == 52


def test_what_is_shown_reads_back_as_the_same_cards_in_the_same_order() -> None:
    cards = parse("As Kd Jk 2c Td")
    assert show(cards) == "As Kd Jk 2c Td"
    assert parse(show(reversed(deck(joker=True)))) == tuple(reversed(deck(joker=True)))


def test_no_text_is_no_cards() -> None:
    assert parse("") == ()
    assert show(()) == ""


@pytest.mark.parametrize("token", ["1s", "10s", "as", "AS", "sA", "A", "s", "Ax", "jk", "JK", "J", "AsKd", "As,", "*"])
def test_a_token_that_is_no_card_is_named_in_the_refusal(token: str) -> None:
    with pytest.raises(ValueError, match="is no card") as refusal:
        parse(f"Kd {token} 2c")
    assert repr(token) in str(refusal.value)


def test_seed_004_the_joker_has_the_rank_of_an_ace_and_no_suit_of_the_four() -> None:
    assert rank_of(JOKER) == ACE == RANKS.index("A")
    assert suit_of(JOKER) not in range(len(SUITS))


def test_rank_and_suit_of_every_natural_card() -> None:
    assert [(rank_of(natural), suit_of(natural)) for natural in deck(joker=False)] == [
        (rank, suit) for rank in range(13) for suit in range(4)
    ]


def test_seed_004_the_deck_is_52_cards_and_one_joker_to_make_53() -> None:
    assert len(deck(joker=True)) == 53
    assert deck(joker=True) == (*deck(joker=False), JOKER)
    assert len(set(deck(joker=False))) == 52


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(domain.cards).failed == 0
