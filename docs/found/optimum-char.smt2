; z3@5.4.0 gives a wrong optimum
(declare-const a (_ BitVec 18))
(declare-const b Int)
(assert (> b 0))
(maximize (char.to_bv (char.from_bv a)))
(check-sat)
(get-model)
(get-objectives)
