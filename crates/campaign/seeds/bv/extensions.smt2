; Sign and zero extension agree exactly on non-negative numbers.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 5))
(assert (= ((_ sign_extend 3) x) ((_ zero_extend 3) x)))
(assert (bvslt x (_ bv0 5)))
(check-sat)
