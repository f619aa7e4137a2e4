; Reading back what was printed.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const n Int)
(declare-const s String)
(assert (= s (str.from_int n)))
(assert (= (str.to_int s) (- 1)))
(assert (>= n 0))
(check-sat)
