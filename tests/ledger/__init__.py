"""Tests of the store, the writer and the proofs of integrity."""
