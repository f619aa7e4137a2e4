; Two cells of floats, told apart by the sign of zero.
(set-logic QF_ABVFP)
(set-info :status sat)
(declare-const a (Array (_ BitVec 2) Float32))
(declare-const i (_ BitVec 2))
(assert (= (select a i) (_ -zero 8 24)))
(assert (= (select a (bvnot i)) (_ +zero 8 24)))
(assert (fp.eq (select a #b01) (select a #b10)))
(check-sat)
