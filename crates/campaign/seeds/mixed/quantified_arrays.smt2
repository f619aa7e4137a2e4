; A function that counts, a real that bounds it.
(set-logic AUFLIRA)
(set-info :status unsat)
(declare-fun f (Int) Real)
(declare-const a (Array Int Real))
(assert (forall ((i Int)) (=> (<= 0 i 3) (<= (select a i) (f i)))))
(assert (= (f 2) 1.5))
(assert (> (select a 2) (* 2.0 (f 2))))
(check-sat)
