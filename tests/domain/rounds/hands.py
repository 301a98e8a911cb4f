"""Hands that tests deal by name; those of one group have no card in common, so they can lie at one table."""

from __future__ import annotations

# Against DEALER, each set the house way.
DEALER = "Qs Jd 9c 7h 6s 3d 2c"
"""Queen high: Q-7-6-3-2 and J-9."""
WINS = "As Ad Kh Th 8c 5h 4h"
"""A pair of aces and K-T: wins both."""
WINS_TOO = "Ks Kd Ac Tc 8h 5d 4d"
"""A pair of kings and A-T: wins both."""
PUSHES = "9s 9d 7s 6d 5c 4c 2d"
"""A pair of nines and 7-6: wins high, loses low."""
LOSES = "Jc Ts 8s 5s 4s 3c 2h"
"""J-5-4-3-2 and T-8: loses both."""
COPIES = "Qd Js 9h 7c 6c 3h 2s"
"""The dealer's ranks again: both hands are copies."""

# Big hands, for what pays by a table.
QUADS = ("2c 2d 2h 2s 3c 4d 5h", "6c 6d 6h 6s Ks 8d 9h", "Tc Td Th Ts Jc Qd 3h")
"""Set the house way and against PLAIN the first pushes, the others win."""
FULL_HOUSES = ("Kc Kd Kh Ac Ad 3d 4h", "Qc Qh Qs Jd Jh 4s 5c", "9c 9d 9s 8c 8h 5d 7h")
PLAIN = "Ah Js 8s 7d 5s 3s 4c"
"""No pair, straight or flush, A-7-5-4-3 and J-8: the dealer's hand beside QUADS and FULL_HOUSES."""
