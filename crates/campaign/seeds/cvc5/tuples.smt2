; A tuple and its parts.
(set-logic ALL)
(set-info :status unsat)
(declare-const t (Tuple Int Bool))
(assert (= t (tuple 3 ((_ tuple.select 1) t))))
(assert (> ((_ tuple.select 0) t) 3))
(check-sat)
