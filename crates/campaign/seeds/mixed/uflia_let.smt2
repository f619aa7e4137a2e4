; Shared subterms by nested bindings.
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-fun g (Int Int) Int)
(declare-const x Int)
(assert (let ((a (g x (+ x 1)))) (let ((b (g a a)) (c (* 2 a))) (and (> b c) (< c (- b 3)) (= (mod b 5) 1)))))
(assert (> (g x (- x (- 1))) 4))
(check-sat)
