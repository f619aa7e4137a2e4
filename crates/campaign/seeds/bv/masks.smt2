; Setting and clearing the lowest set bit.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 8))
(assert (distinct x #x00))
(assert (distinct (bvand x (bvneg x)) (bvxor x (bvand x (bvsub x #x01)))))
(check-sat)
