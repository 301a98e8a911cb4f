"""Wagers before "no more bets": the players' own, tokes, backers, a player's bank, and hesitation."""

from __future__ import annotations

from collections.abc import Iterator

from tests.generators.scene import Order, Scene, Wager


def betting(scene: Scene) -> Iterator[Order]:
    """Everything until betting closes; a bank is taken before, between or after the mains that it covers."""
    banker = _banker(scene)
    plan = _plan(scene, banker)
    if banker is None:
        yield from _place_all(scene, plan)
        return
    house_cents = scene.chance.pick((scene.limits("main")[0], scene.chance.between(1, 20_000)))
    cover_cents = house_cents + sum(cents for wager, cents in plan.items() if wager.wager == "main")
    wagers = list(plan.items())
    early = scene.chance.below(len(wagers) + 1)
    yield from _place_all(scene, dict(wagers[:early]))
    spare_cents = scene.chance.pick((0, scene.chance.between(1, 100_000)))
    scene.banker = banker
    yield scene.order("take_bank", seat=banker, chips_cents=cover_cents + spare_cents, house_wager_cents=house_cents)
    yield from _place_all(scene, dict(wagers[early:]) | _side_wagers(scene, banker))


def _banker(scene: Scene) -> int | None:
    """The seat that banks, whether or not the button is there."""
    if not scene.sheet.player_bank or not scene.happens("bank"):
        return None
    return scene.chance.pick(list(scene.players))


def _plan(scene: Scene, banker: int | None) -> dict[Wager, int]:
    """What stands when betting closes, mains before what needs them; the banker's side wagers need his bank."""
    seats = [seat for seat in scene.players if seat != banker and not scene.happens("sits_out")]
    seats = scene.chance.shuffled(seats)
    mains = {Wager(seat, "main"): _main_cents(scene) for seat in seats}
    riding: dict[Wager, int] = {}
    for seat in seats:
        main_cents = mains[Wager(seat, "main")]
        if scene.happens("backer"):
            riding |= _backers(scene, seat, banker, main_cents)
        toke_limit = scene.terms("main").toke_max_cents
        # Seed 004, dealer tokes: with a player bank only the bonus takes tokes.
        if banker is None and toke_limit is not None and scene.happens("toke"):
            riding[Wager(seat, "main", toke=True)] = scene.chance.between(1, min(toke_limit, main_cents))
        riding |= _side_wagers(scene, seat)
    return mains | riding


def _main_cents(scene: Scene) -> int:
    least_cents, most_cents = scene.limits("main")
    if scene.happens("odd_cents"):
        return scene.chance.between(least_cents, 5_000)
    if scene.chance.in_thousand(20):
        return most_cents
    return scene.chance.between(least_cents // 500, 40) * 500


def _backers(scene: Scene, seat: int, banker: int | None, main_cents: int) -> dict[Wager, int]:
    """Up to two other players on the seat's main, all together within the table's maximum."""
    room_cents = scene.limits("main")[1] - main_cents
    barred = {scene.players[seat], scene.players.get(banker or 0)}
    names = [name for name in dict.fromkeys((*scene.onlookers, *scene.players.values())) if name not in barred]
    backers: dict[Wager, int] = {}
    for name in scene.chance.some(names, scene.chance.between(1, 2)):
        if room_cents > 0:
            cents = scene.chance.between(1, min(room_cents, 10_000))
            backers[Wager(seat, "main", bettor=name)] = cents
            room_cents -= cents
    return backers


def _side_wagers(scene: Scene, seat: int) -> dict[Wager, int]:
    wagers: dict[Wager, int] = {}
    if scene.happens("fortune"):
        least_cents, _ = scene.limits("fortune")
        choices = (least_cents, 500, 500, 1_000, scene.chance.between(least_cents, 2_500))
        wagers[Wager(seat, "fortune")] = scene.chance.pick(choices)
        toke_limit = scene.terms("fortune").toke_max_cents
        if toke_limit is not None and scene.happens("toke"):
            wagers[Wager(seat, "fortune", toke=True)] = scene.chance.between(1, toke_limit)
    if scene.happens("progressive"):
        wagers[Wager(seat, "progressive")] = scene.chance.between(*scene.limits("progressive"))
    return wagers


def _place_all(scene: Scene, wagers: dict[Wager, int]) -> Iterator[Order]:
    for wager, cents in wagers.items():
        yield from _place(scene, wager, cents)
        scene.stakes[wager] = cents


def _place(scene: Scene, wager: Wager, cents: int) -> Iterator[Order]:
    """Placed at once or in two parts; now and then some of it comes off and is put back before anything rides on it."""
    least_cents = scene.limits(wager.wager)[0] if wager.own else 1
    first_cents = cents
    if cents > least_cents and scene.happens("placed_in_two"):
        first_cents = scene.chance.between(least_cents, cents - 1)
        yield scene.order("place_wager", **wager.keys(), amount_cents=first_cents)
        first_cents = cents - first_cents
    yield scene.order("place_wager", **wager.keys(), amount_cents=first_cents)
    if scene.happens("withdrawn"):
        off_cents = cents
        if cents > least_cents and scene.chance.in_thousand(500):
            off_cents = scene.chance.between(1, cents - least_cents)
        yield scene.order("withdraw_wager", **wager.keys(), amount_cents=off_cents)
        yield scene.order("place_wager", **wager.keys(), amount_cents=off_cents)
