//! SMT-LIB: reading, typing, rewriting and printing scripts. No I/O, clock or process.
