; Every value of an enumeration is below the top.
(set-logic UFDT)
(set-info :status unsat)
(declare-datatype V ((lo) (mid) (hi)))
(declare-fun le (V V) Bool)
(assert (forall ((x V)) (le x hi)))
(assert (forall ((x V) (y V)) (=> (le x y) (le y x) (= x y))))
(assert (or (le hi lo) (le hi mid)))
(check-sat)
