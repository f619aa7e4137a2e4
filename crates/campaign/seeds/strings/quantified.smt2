; No string is shorter than every other one and not empty.
(set-logic ALL)
(set-info :status unsat)
(declare-const s String)
(assert (forall ((t String)) (<= (str.len s) (str.len t))))
(assert (distinct s ""))
(check-sat)
