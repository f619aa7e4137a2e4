; The bits of a float, and an integer rounded.
(set-logic ALL)
(set-info :status sat)
(declare-const x Float32)
(declare-const n Int)
(assert (= (fp.to_ieee_bv x) #x40490fdb))
(assert (fp.gt ((_ to_fp 8 24) RNE (to_real n)) x))
(assert (< n 5))
(check-sat)
