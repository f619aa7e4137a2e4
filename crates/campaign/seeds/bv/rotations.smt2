; A pattern that survives one rotation but not another.
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 8))
(assert (= ((_ rotate_left 2) x) x))
(assert (distinct ((_ rotate_right 3) x) x))
(assert (= x ((_ repeat 2) ((_ extract 3 0) x))))
(check-sat)
