; z3@5.4.0 eliminates wrongly
(declare-const a (_ BitVec 1))
(assert (exists ((b (_ BitVec 1))) (= (bvxor b (bvsub a b)) #b0)))
(apply qe2)
