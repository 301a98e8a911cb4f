"""Setting hands: by players, by the floor after a foul (R10), and by the dealer beside the house way."""

from __future__ import annotations

from domain.approvals import require_approval
from domain.cards import Hand, rank_of, show
from domain.commands import ResetHand, SetDealer, SetHand
from domain.rounds.events import HOUSE, DealerSet, Event, Finding, HandReset, HandSet
from domain.rounds.refusals import HandAlreadySet, HandNotInPlay, HandOutOfTurn, HandWrongCards, ResetRefused
from domain.rounds.scene import Scene


def set_hand(command: SetHand, scene: Scene) -> tuple[Event, ...]:
    """A seat's two hands, once and for all; a foul is recorded as one and judged at settling."""
    player = scene.player_at(command.seat)
    round_ = scene.round
    if not scene.plays(command.seat):
        raise HandNotInPlay(f"seat {command.seat} ({player}) has no {scene.base} wager and not the bank: it sits out")
    if command.seat in round_.set_hands:
        raise HandAlreadySet(f"seat {command.seat}'s hand is set: {show(round_.set_hands[command.seat].low)} low")
    if round_.dealer_set is not None and not scene.game.dealer_first:
        raise HandAlreadySet("the dealer's hand is set; after that no player may touch his cards")
    _check_turn(command.seat, player, scene)
    cards = round_.hands[command.seat]
    early = _set_early(command.seat, scene)
    if command.house_way:
        setting = scene.set_the_house_way(cards)
        return (HandSet(command.seat, setting.high, setting.low, "house_way", rule=setting.rule, findings=early),)
    assert command.low is not None
    high, low = _laid_out(cards, command.low, command.seat, scene)
    foul = scene.split.foul(high, low, wheel=scene.wheel, strict=scene.strict)
    findings = (*early, *(_foul(command.seat, high, low) if foul else ()))
    return (HandSet(command.seat, high, low, "player", foul, findings=findings),)


def reset_hand(command: ResetHand, scene: Scene) -> tuple[Event, ...]:
    """The floor resets a foul hand the house way, while the house banks and before the dealer sets (R10)."""
    require_approval(command.approved_by, by=command.by, dealer=scene.round.opened.dealer)
    scene.player_at(command.seat)
    held = scene.round.set_hands.get(command.seat)
    if scene.sheet.options.get("R10") != "lose_or_reset":
        raise ResetRefused(f"sheet {scene.sheet.ref}: a foul hand loses, the floor resets none (R10)")
    if scene.round.bank is not None:
        raise ResetRefused("the floor resets a foul hand only while the house banks (seed 004, Irregularities)")
    if held is None or not held.foul:
        raise ResetRefused(f"seat {command.seat}'s hand is no foul; only a foul hand is reset")
    if scene.round.dealer_set is not None:
        raise ResetRefused("the dealer's hand is set; a foul hand is reset before that")
    setting = scene.set_the_house_way(scene.round.hands[command.seat])
    return (HandReset(command.seat, setting.high, setting.low, "floor", setting.rule, command.approved_by),)


def set_dealer(command: SetDealer, scene: Scene) -> tuple[Event, ...]:
    """What the dealer did; where it differs from the house way it is a finding, and the house way settles."""
    round_ = scene.round
    if round_.dealer_set is not None:
        raise HandAlreadySet(f"the dealer's hand is set: {show(round_.dealer_set.low)} low")
    cards = round_.hands[HOUSE]
    high, low = _laid_out(cards, command.low, HOUSE, scene)
    house = scene.set_the_house_way(cards)
    findings: tuple[Finding, ...] = ()
    alike = (high, low) == (house.high, house.low)
    if not alike and _strengths(high, low, scene) != _strengths(house.high, house.low, scene):
        text = f"the dealer set {show(low)} low; the house way is {show(house.low)} ({house.rule})"
        findings = (Finding("dealer.not-house-way", text),)
    return (DealerSet(high, low, house.high, house.low, house.rule, findings),)


def _strengths(high: Hand, low: Hand, scene: Scene) -> tuple[int, int]:
    return scene.split.high(high, scene.wheel), scene.split.low(low)


def _laid_out(cards: Hand, low: Hand, seat: int, scene: Scene) -> tuple[Hand, Hand]:
    """The high and the low hand that `low` leaves, as they are read; refuses a low hand of other cards."""
    low_size, chosen = scene.game.low_size, set(low)
    if len(low) != low_size or len(chosen) != low_size or not chosen.issubset(cards):
        whose = "the dealer" if seat == HOUSE else f"seat {seat}"
        raise HandWrongCards(f"low {show(low)!r}: name {low_size} of the cards of {whose}: {show(cards)}")
    high = tuple([card for card in cards if card not in chosen])
    return scene.split.arranged(high, scene.wheel), tuple(sorted(low, key=rank_of, reverse=True))


def _foul(seat: int, high: Hand, low: Hand) -> tuple[Finding, ...]:
    return (Finding("hand.foul", f"low {show(low)} outranks high {show(high)}", seat),)


def _check_turn(seat: int, player: str, scene: Scene) -> None:
    # 688a.7(f): of a player's two hands the larger wager's is set first, of equal ones the higher seat's.
    if not scene.game.dealer_first:
        return
    stake = scene.round.stake_cents(seat, scene.base)
    for other in scene.in_play():
        if scene.round.seats[other] != player or other == seat or other in scene.round.set_hands:
            continue
        if (scene.round.stake_cents(other, scene.base), other) > (stake, seat):
            raise HandOutOfTurn(
                f"{player} sets the hand of seat {other} first: the larger wager, or the first of equal ones"
            )


def _set_early(seat: int, scene: Scene) -> tuple[Finding, ...]:
    # Seed 004: all players set except the banker; when all are set the banker sets.
    if seat != scene.round.bank_seat:
        return ()
    waiting = [other for other in scene.in_play() if other != seat and other not in scene.round.set_hands]
    if not waiting:
        return ()
    text = f"the banker set while seat {', '.join(map(str, waiting))} had not"
    return (Finding("bank.set-early", text, seat),)
