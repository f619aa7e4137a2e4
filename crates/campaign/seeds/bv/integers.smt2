; The signed and the unsigned reading differ by a power of two.
(set-logic ALL)
(set-info :status unsat)
(declare-const x (_ BitVec 4))
(declare-const n Int)
(assert (= n (- (ubv_to_int x) (sbv_to_int x))))
(assert (distinct n 0 16))
(check-sat)
