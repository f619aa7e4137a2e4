; Replacing a letter that occurs changes the length by the difference.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const s String)
(declare-const t String)
(assert (= t (str.replace s "ab" "c")))
(assert (str.contains s "ab"))
(assert (distinct (str.len t) (- (str.len s) 1)))
(check-sat)
