; A conditional over a bit and reductions.
(set-logic QF_BV)
(set-info :status sat)
(declare-const c (_ BitVec 1))
(declare-const x (_ BitVec 8))
(assert (= (bvite c x (bvnot x)) #x0f))
(assert (= (bvredor x) c))
(assert (= (bvredand x) #b0))
(check-sat)
