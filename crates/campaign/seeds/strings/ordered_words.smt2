; A word of four letters between these two begins like the first.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const w String)
(assert (and (str.< "abc" w) (str.<= w "abd")))
(assert (= (str.len w) 4))
(assert (not (str.prefixof "abc" w)))
(check-sat)
