; A fold and a map over a sequence.
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq Int))
(assert (= s (seq.++ (seq.unit 2) (seq.unit 5))))
(assert (= (seq.foldl (lambda ((a Int) (x Int)) (+ a x)) 0 s) 7))
(assert (= (seq.map (lambda ((x Int)) (* x 2)) s) (seq.++ (seq.unit 4) (seq.unit 10))))
(check-sat)
