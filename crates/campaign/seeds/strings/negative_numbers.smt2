; A negative number prints as nothing.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const n Int)
(assert (< n 0))
(assert (distinct (str.++ "v" (str.from_int n)) "v"))
(check-sat)
