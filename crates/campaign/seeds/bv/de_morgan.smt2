; The negated connectives against their definitions.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 16))
(declare-const y (_ BitVec 16))
(assert (or (distinct (bvnand x y) (bvor (bvnot x) (bvnot y)))
            (distinct (bvnor x y) (bvand (bvnot x) (bvnot y)))
            (distinct (bvxnor x y) (bvnot (bvxor x y)))))
(check-sat)
