; Cutting and joining are inverse.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 12))
(assert (distinct x (concat ((_ extract 11 8) x) ((_ extract 7 4) x) ((_ extract 3 0) x))))
(check-sat)
