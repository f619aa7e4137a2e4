; No number lies strictly between another and its successor.
(set-logic LIA)
(set-info :status unsat)
(assert (exists ((x Int) (y Int)) (and (< x y) (< y (+ x 1)))))
(check-sat)
