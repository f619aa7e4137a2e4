; z3@5.4.0 applies wrongly
(declare-const a (_ BitVec 1))
(assert (= (str.from_sbv a) ""))
(apply ctx-solver-simplify)
