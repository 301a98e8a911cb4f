"""Feeds of play that no room would offer: odd sheets, stacked cards, wagers of a few cents, everything at once.

What is refused of it is refused; only what was recorded is compared. Cards are chosen so that copies, jokers, three
aces, flushes, runs and hits of a meter come often. The same seed gives the same feed.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any

from tests.oracle.cards import DECK_52, DECK_53, JOKER, RANKS, SUITS, Cards, value
from tests.oracle.contained import RANKINGS, longest_suit
from tests.oracle.play import OPTIONAL

Command = dict[str, Any]
Hands = dict[Any, Cards]
Do = Callable[..., Command]
Wish = Callable[[str], float]
HOUR = timezone(timedelta(hours=-4))
TABLES_A_GAME = 4
LEVELS = ("major", "minor")
METERS = ("M1", "M2", "M3", "M4")
TOKENS = {
    "R1": ("push", "lose"),
    "R2": ("ace", "above_ace"),
    "R5": ("high_and_low", "high_only"),
    "R7": ("second", "lowest"),
    "R8": ("equal_legal", "strict"),
    "R10": ("lose", "lose_or_reset"),
    "R14": ("sequential_equal", "sequential", "snapshot"),
    "R18": ("multiples", "any_amount"),
}
SEVEN_CARDS = ("R7", "R8", "R10", "R14")
RULINGS_OF = {
    "pai_gow": SEVEN_CARDS,
    "fortune": SEVEN_CARDS,
    "commission_free": SEVEN_CARDS,
    "face_up": SEVEN_CARDS,
    "six_card_fortune": ("R1", "R2", *SEVEN_CARDS),
    "high_card_flush": ("R5", "R14", "R18"),
}
RANKING_OF = {
    "flush_bonus": "flush_length",
    "straight_flush_bonus": "straight_flush_length",
    "insurance": "insurance",
}
SHORT_LISTS = {
    "tiger_9": ("tiger_9",),
    "ace_high": ("both_ace_high", "dealer_ace_high_joker", "dealer_ace_high"),
    "win": ("win",),
}


class Odd:
    """One feed."""

    def __init__(self, seed: int, games: tuple[str, ...]) -> None:
        self.random = Random(f"odd {seed}")
        self.games = games
        self.now = datetime(2026, 5, 1, 18, tzinfo=HOUR)
        self.number = 0
        self.players = [f"P{n}" for n in range(1, 9)]
        self.sheets: dict[str, list[Command]] = {game: [] for game in games}

    def feed(self, rounds: int) -> Iterator[Command]:
        """A property, meters and sheets, then the rounds."""
        yield self.order("open_property", property="ODD", zone="America/New_York", day_starts="06:00", currency="USD")
        for meter in METERS:
            yield self.meter(meter)
        for n in range(rounds):
            game = self.games[n % len(self.games)]
            if n < TABLES_A_GAME * len(self.games) or self.chance(0.04):
                yield self.publish(game, n)
            yield from self.round(game, n)
            if self.chance(0.03):
                yield self.tend()

    def chance(self, likely: float) -> bool:
        """Whether it happens."""
        return self.random.random() < likely

    def order(self, command: str, **keys: Any) -> Command:
        """A command with an id and a time of its own."""
        self.number += 1
        self.now += timedelta(seconds=self.random.randint(0, 3))
        return {"command": command, "command_id": f"o-{self.number}", "at": self.now.isoformat(), "by": "D1", **keys}

    # What is played for.

    def meter(self, meter: str) -> Command:
        levels = [
            {
                "level": level,
                "base_micros": self.random.randrange(0, 3_000_000_000),
                "reset_micros": self.random.choice((0, 17, self.random.randrange(1_000_000_000))),
                "rate_bp": self.random.randrange(0, 4000),
                "hidden_rate_bp": self.random.choice((0, self.random.randrange(900))),
                "limit_micros": self.random.choice((None, 4_000_000_000)),
            }
            for level in LEVELS
        ]
        times = {"unreasonable_micros": 1_000_000, "effective_from": self.now.isoformat(), "approved_by": "S1"}
        return self.order("open_meter", meter=meter, property="ODD", levels=levels, **times)

    def tend(self) -> Command:
        """Something is done to a meter: it is raised, lowered, emptied into another, or goes on under new terms."""
        meter, level = self.random.choice(METERS), self.random.choice(LEVELS)
        keys = {"evidence": "paper 7", "approved_by": ["S1", "S2"]}
        amount = self.random.randrange(1, 900_000_000)
        kind = self.random.randrange(5)
        if kind == 0:
            terms = {
                "level": level,
                "rate_bp": self.random.randrange(4000),
                "hidden_rate_bp": self.random.randrange(900),
                "reset_micros": self.random.randrange(1_000_000_000),
            }
            since = (self.now + timedelta(seconds=self.random.choice((5, 600)))).isoformat()
            reason = {"reason": "rate_correction"}
            return self.order("change_meter", meter=meter, levels=[terms], effective_from=since, **keys, **reason)
        where = {"meter": meter, "level": level, **keys}
        if kind == 1:
            to = self.random.choice(("revenue", *(other for other in METERS if other != meter)))
            return self.order("transfer_meter", **where, amount_micros=amount, to=to, reason="table_moved")
        if kind == 2:
            return self.order("adjust_meter", **where, amount_micros=-amount, reason="equipment_fault")
        if kind == 3:
            return self.order("adjust_meter", **where, amount_micros=-(amount % 100_000), reason="hidden_to_revenue")
        return self.order("adjust_meter", **where, amount_micros=amount, reason="house_added")

    def publish(self, game: str, n: int) -> Command:
        sheet = self.sheet(game, n + 1)
        self.sheets[game].append(sheet)
        since = {"effective_from": self.now.isoformat(), "approved_by": "S1"}
        return self.order("publish_sheet", sheet=sheet, **since)

    def sheet(self, game: str, version: int) -> dict[str, Any]:
        """A sheet that the contract allows, and hardly any house would want."""
        sheet: Command = {
            "id": "odd-" + game.replace("_", "-"),
            "version": version,
            "game": game,
            "title": "odd",
            "source": "invented for trials, not a rule",
            "positions": self.random.choice((2, 4, 6, 6)),
            "options": {ruling: self.random.choice(TOKENS[ruling]) for ruling in RULINGS_OF[game] if self.chance(0.8)},
            "player_bank": game in ("pai_gow", "fortune") and self.chance(0.6),
            "two_hands": "any",
            "envy_minimum_cents": self.random.choice((1, 100, 500)),
            "wagers": {},
            "paytables": {},
            "envy_tables": {},
        }
        if game != "high_card_flush":
            seven = ("cardroom", "cardroom", "mbs", "trump")
            sheet["house_way"] = "670a.11(d)" if game == "six_card_fortune" else self.random.choice(seven)
        if game not in ("commission_free", "high_card_flush") and self.chance(0.7):
            bp = self.random.choice((500, 500, 1, 333, 1250, 9999))
            sheet["commission"] = {"bp": bp, "rounding": self.random.choice(("half_up", "up_to_quarter"))}
        if self.chance(0.3):
            sheet["payout_limit_cents"] = self.random.choice((1, 1000, 12_345, 50_000))
        for wager in OPTIONAL[game]:
            self.offer(sheet, wager)
        return sheet

    def offer(self, sheet: Command, wager: str) -> None:
        """One wager with tables of its own."""
        offer: dict[str, Any] = {"paytable": wager}
        if wager not in ("double_down", "raise"):
            offer |= {"min_cents": 1, "max_cents": 1_000_000}
        if wager in ("main", "fortune") and sheet["game"] != "high_card_flush":
            offer["toke_max_cents"] = 500
        first = wager in ("main", "ante", "double_down", "raise")
        sheet["paytables"][wager] = self.even(sheet) if first else self.table(sheet["game"], wager)
        if wager == "progressive":
            offer["meter"] = self.random.choice((["M1"], "M2", ["M1", "M3"], "M3", ["M4", "M2"]))
            self.shares(sheet["paytables"][wager], offer["meter"])
        if wager in ("fortune", "progressive") and sheet["game"] != "high_card_flush" and self.chance(0.8):
            offer["envy"] = wager
            sheet["envy_tables"][wager] = self.envy(self.ranking(sheet["game"], wager))
        sheet["wagers"][wager] = offer

    def even(self, sheet: Command) -> dict[str, Any]:
        plain = {"kind": "to_1", "n": 1}
        odds = self.odds() if self.chance(0.3) and not sheet["player_bank"] else plain
        line = {"hand": "win", **odds}
        return {"source": "invented for trials, not a rule", "ranking": "win", "lines": [line]}

    def odds(self) -> dict[str, Any]:
        kind = self.random.choice(("to_1", "to_1", "for_1", "fixed"))
        if kind == "fixed":
            return {"kind": kind, "cents": self.random.choice((1, 777, 100_000))}
        return {"kind": kind, "n": self.random.choice((0, 1, 2, 5, 40, 1000) if kind == "to_1" else (1, 2, 4, 75))}

    def ranking(self, game: str, wager: str) -> str:
        if wager in RANKING_OF:
            return RANKING_OF[wager]
        if wager in ("tiger_9", "ace_high"):
            return wager
        if game == "high_card_flush":
            return "straight_flush_length"
        return "six_card" if game == "six_card_fortune" else "seven_card_bonus"

    def table(self, game: str, wager: str) -> dict[str, Any]:
        ranking = self.ranking(game, wager)
        names = SHORT_LISTS.get(ranking) or RANKINGS[ranking]
        some = [name for name in names if self.chance(0.6)] or [names[0]]
        lines = [{"hand": name, **self.odds()} for name in some if name != "high_card" or self.chance(0.2)]
        return {"source": "invented for trials, not a rule", "ranking": ranking, "lines": lines}

    def shares(self, table: dict[str, Any], meter: str | list[str]) -> None:
        """Some lines of a progressive pay from a meter."""
        meters = [meter] if isinstance(meter, str) else meter
        for n, line in enumerate(table["lines"]):
            if self.chance(0.6):
                percent = self.random.choice((100, 100, 50, 33, 10, 1))
                share = {"hand": line["hand"], "kind": "percent_of_meter", "percent": percent}
                table["lines"][n] = share | {"level": self.random.choice(LEVELS)}
                if len(meters) > 1 or self.chance(0.3):
                    table["lines"][n]["meter"] = self.random.choice(meters)

    def envy(self, ranking: str) -> dict[str, Any]:
        some = [name for name in RANKINGS[ranking] if name != "high_card" and self.chance(0.5)]
        lines = [{"hand": name, "cents": self.random.choice((1, 500, 7777))} for name in some or [RANKINGS[ranking][0]]]
        return {"source": "invented for trials, not a rule", "lines": lines}

    # How it is played.

    def round(self, game: str, n: int) -> Iterator[Command]:
        """One round from opening to settling, sometimes void."""
        sheet = self.random.choice(self.sheets[game][-TABLES_A_GAME:])
        key = f"{game}-{n}"
        seats = {
            seat: self.random.choice(self.players) for seat in range(1, sheet["positions"] + 1) if self.chance(0.8)
        }
        seats = {seat: p for seat, p in seats.items() if list(seats.values()).count(p) <= 2} or {1: "P1"}
        named = {"property": "ODD", "table": game, "number": n + 1, "game": game}
        seated = {str(seat): player for seat, player in seats.items()}
        sheet_id = f"{sheet['id']}@{sheet['version']}"
        yield self.order("open_round", round=key, **named, sheet=sheet_id, dealer="D1", seats=seated)

        def do(command: str, **keys: Any) -> Command:
            return self.order(command, round=key, **keys)

        stakes: dict[int, int] = {}
        bank = self.random.choice([*seats]) if sheet["player_bank"] and len(seats) > 1 and self.chance(0.4) else None
        for seat in seats:
            for placed in self.wagers(sheet, seat, seats[seat], seat == bank):
                stakes.setdefault(seat, 0)
                if placed["wager"] in ("main", "ante") and len(placed) == 3:
                    stakes[seat] += placed["amount_cents"]
                yield do("place_wager", **placed)
        if bank is not None:
            house = self.random.choice((1, 500, self.random.randrange(1, 100_000)))
            yield do("take_bank", seat=bank, chips_cents=10_000_000, house_wager_cents=house)
        yield do("close_betting")
        hands = self.hands(game, sheet["positions"])
        forfeits = [(seat, wager) for seat in seats for wager in OPTIONAL[game] if self.chance(0.02)]
        dealt = {str(seat): " ".join(cards) for seat, cards in hands.items()}
        deck = DECK_52 if game == "high_card_flush" else DECK_53
        stub = len(deck) - sum(map(len, hands.values())) + int(self.chance(0.01))
        yield do("deal", hands=dealt, stub=stub)
        yield from self.settings(game, stakes, bank, hands, do)
        if self.chance(0.03):
            yield self.tend()
        for seat, wager in forfeits:
            yield do("forfeit", seat=seat, wager=wager, approved_by="S1", reason="left")
        yield do("settle")
        if self.chance(0.1):
            keys = {"due_cents": self.random.randrange(0, 5000), "reason": "read again", "approved_by": ["S1", "S2"]}
            yield do("correct_line", seat=self.random.choice([*seats]), wager="fortune", **keys)
        if self.chance(0.06) or stub + sum(map(len, hands.values())) > len(deck):
            yield do("void_round", reason="trial", approved_by=["S1", "S2"])

    def wagers(self, sheet: Command, seat: int, player: str, banks: bool) -> Iterator[Command]:
        """What is placed on a seat."""
        for wager in sheet["wagers"]:
            first = wager in ("main", "ante")
            if wager in ("double_down", "raise") or (banks and first) or not (first or self.chance(0.6)):
                continue
            if first and self.chance(0.05):
                return
            placed = {"seat": seat, "wager": wager}
            yield placed | {"amount_cents": self.amount()}
            if wager in ("main", "fortune") and self.chance(0.15):
                yield placed | {"amount_cents": self.random.randint(1, 500), "toke": True}
            for backer in self.players:
                if wager == "main" and backer != player and self.chance(0.04):
                    yield placed | {"amount_cents": self.amount(), "bettor": backer}

    def amount(self) -> int:
        return self.random.choice((self.random.randint(1, 99), 500, self.random.randint(1, 30_000)))

    def settings(
        self,
        game: str,
        stakes: dict[int, int],
        bank: int | None,
        hands: dict[Any, Cards],
        do: Any,
    ) -> Iterator[Command]:
        """Hands set, raised, folded or doubled; where the order matters, the larger main first."""
        playing = sorted((seat for seat in stakes if seat != bank), key=lambda seat: (-stakes[seat], -seat))
        for seat in [*playing, bank] if bank is not None else playing:
            if game == "high_card_flush":
                times = self.random.randint(1, max(1, longest_suit(hands[seat]) - 3))
                raised = do("raise", seat=seat, amount_cents=stakes[seat] * min(times, 3))
                yield do("fold", seat=seat) if self.chance(0.2) else raised
                continue
            if game == "six_card_fortune" and self.chance(0.5):
                yield do("double_down", seat=seat)
            yield do("set_hand", seat=seat, **self.setting(hands[seat]))
            if self.chance(0.3):
                yield do("reset_hand", seat=seat, approved_by="S1")

    def setting(self, cards: Cards) -> dict[str, Any]:
        """By the house way, by what looks well, or anyhow."""
        if self.chance(0.4):
            return {"house_way": True}
        count = len(cards) - 5
        ranked = sorted(cards, key=value, reverse=True)
        low = ranked[1 : 1 + count] if self.chance(0.5) else self.random.sample(cards, count)
        if self.chance(0.2):
            # An ace low ties with the dealer's joker, or is a foul.
            low = ranked[:count]
        return {"low": " ".join(low)}

    # Which cards come.

    def hands(self, game: str, positions: int) -> Hands:
        """Cards for the dealer and every spot, each hand by an idea of its own."""
        deck = list(DECK_52 if game == "high_card_flush" else DECK_53)
        size = 6 if game == "six_card_fortune" else 7
        hands: Hands = {}
        order: list[Any] = ["dealer", *range(1, positions + 1)]
        self.random.shuffle(order)
        hand: Cards = ()
        for spot in order:
            likes = self.idea(hand)
            if spot == "dealer" and game in ("face_up", "commission_free") and self.chance(0.5):
                likes = self.nothing(hand)
            elif spot == "dealer" and size == 6 and self.chance(0.2):
                likes = self.joker_low(hand)
            hand = tuple(sorted(deck, key=lambda card: likes(card) + self.random.random(), reverse=True)[:size])
            deck = [card for card in deck if card not in hand]
            hands[spot] = tuple(self.random.sample(hand, size))
        return hands

    def idea(self, last: Cards) -> Wish:
        """How much each card is wanted, by an idea that differs from hand to hand; `last` are the last hand's cards."""
        ideas = (self.anything, self.suited, self.running, self.both, self.sets, self.copy, self.aces, self.nothing)
        want = self.random.choice(ideas)(last)
        strength = self.random.choice((0.4, 0.7, 1.0))
        return lambda card: want(card) * strength

    def anything(self, last: Cards) -> Wish:
        return lambda card: 0

    def suited(self, last: Cards) -> Wish:
        suit = self.random.choice(SUITS)
        return lambda card: card[1] == suit

    def running(self, last: Cards) -> Wish:
        lowest = self.random.randint(1, 10)
        run = {14 if rank == 1 else rank for rank in range(lowest, lowest + self.random.choice((5, 6, 7)))}
        return lambda card: value(card) in run

    def both(self, last: Cards) -> Wish:
        suited, running = self.suited(last), self.running(last)
        joker = self.random.choice((0, 2))
        return lambda card: suited(card) + running(card) + (card == JOKER) * joker

    def sets(self, last: Cards) -> Wish:
        ranks = {value(card) for card in self.random.sample(DECK_52, self.random.choice((2, 3)))}
        return lambda card: value(card) in ranks

    def copy(self, last: Cards) -> Wish:
        """The same ranks in other suits, so that hands tie."""
        other = dict(zip(SUITS, self.random.sample(SUITS, 4), strict=True))
        copied = {card[0] + other[card[1]] for card in last if card != JOKER}
        return lambda card: 3 * (card in copied)

    def aces(self, last: Cards) -> Wish:
        return lambda card: (value(card) == 14) * 2 + (value(card) == 13)

    def joker_low(self, last: Cards) -> Wish:
        """Five of a suit and the joker, which the six-card dealer lays low."""
        suited = self.suited(last)
        return lambda card: 3 * suited(card) + 9 * (card == JOKER)

    def nothing(self, last: Cards) -> Wish:
        """An ace high or less, with or without the joker; half of these have a nine for their second card."""
        top, joker = self.random.choice((14, 14, 13, 12)), self.random.choice((0, 0, 5))
        second = self.random.choice((9, top - 1))
        ranks: list[int] = [2, 3, 4, 5, 6]
        while any(set(range(low, low + 5)) <= set(ranks) for low in range(2, 11)) or {14, 2, 3, 4, 5} <= set(ranks):
            ranks = [top, second, *self.random.sample(range(2, second), 5)]
        wanted = {RANKS[rank - 2] + SUITS[n % 4] for n, rank in enumerate(ranks)}
        return lambda card: 3 * (card in wanted) + joker * (card == JOKER)


def odd_feed(seed: int, rounds: int, games: tuple[str, ...]) -> Iterator[Command]:
    """The commands of a feed."""
    return Odd(seed, games).feed(rounds)
