; For every x some y doubles it within one.
(set-logic LIA)
(set-info :status sat)
(declare-const k Int)
(assert (forall ((x Int)) (exists ((y Int)) (and (<= (* 2 y) (+ x k)) (< (+ x k) (+ (* 2 y) 2))))))
(assert (> k 5))
(check-sat)
