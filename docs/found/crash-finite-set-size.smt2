; z3@5.4.0 crashes
(declare-const d (FiniteSet Int))
(declare-const a Bool)
(assert a)
(assert (< 0 (set.size d)))
(apply ctx-solver-simplify)
