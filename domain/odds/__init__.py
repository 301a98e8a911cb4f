"""Exact odds of paytables: how often each line is paid, what the house keeps, and the tables known by name."""

from domain.odds.catalog import Listed, shipped, tables_of
from domain.odds.distributions import Distribution, NoOdds, Terms, distribution
from domain.odds.figures import decimal, one_in, percentage
from domain.odds.paying import EnvyLineOdds, EnvyOdds, LineOdds, TableOdds, envy_odds, table_odds

__all__ = [
    "Distribution",
    "EnvyLineOdds",
    "EnvyOdds",
    "LineOdds",
    "Listed",
    "NoOdds",
    "TableOdds",
    "Terms",
    "decimal",
    "distribution",
    "envy_odds",
    "one_in",
    "percentage",
    "shipped",
    "table_odds",
    "tables_of",
]
