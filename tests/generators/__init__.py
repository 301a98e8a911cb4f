"""Seeded generators of table feeds: the same arguments give the same bytes on any machine."""
