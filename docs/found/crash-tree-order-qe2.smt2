; z3@5.4.0 crashes
(assert (exists ((d (_ BitVec 2))) ((_ tree-order 4) (bvneg d) d)))
(apply qe2)
