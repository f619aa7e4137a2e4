//! Everything that makes cases: one module a technique, pure given a random generator and a corpus.
