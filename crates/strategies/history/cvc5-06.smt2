; solver: cvc5
(declare-const i (Seq Int))
(declare-const j (Seq Int))
(declare-const x Int)
(assert (= (seq.++ i j) (seq.++ j i)))
(assert (= (seq.len i) (+ 1 (seq.len j))))
(assert (= (seq.nth i 0) x))
(check-sat)
