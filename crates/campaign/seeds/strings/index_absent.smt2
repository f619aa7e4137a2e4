; An index of minus one means that the needle is not there.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const s String)
(declare-const t String)
(assert (= (str.indexof s t 0) (- 1)))
(assert (or (str.prefixof t s) (str.suffixof t s) (str.contains s (str.++ t t))))
(check-sat)
