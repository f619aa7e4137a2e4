; z3@5.4.0 crashes
(set-option :produce-proofs true)
(declare-const a (_ FiniteField 3))
(assert (distinct (as ff1 (_ FiniteField 3)) a))
(check-sat-assuming (true))
(get-model)
