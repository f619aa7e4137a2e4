; The order on strings is total and follows the prefix relation.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const s String)
(declare-const t String)
(assert (str.prefixof s t))
(assert (str.< t s))
(assert (str.<= s t))
(check-sat)
