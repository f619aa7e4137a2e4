; A function as an argument.
(set-logic HO_ALL)
(set-info :status unsat)
(declare-fun f (Int) Int)
(declare-fun apply ((-> Int Int) Int) Int)
(assert (= (apply f 2) (f 3)))
(assert (= f (lambda ((x Int)) (* 2 x))))
(assert (distinct (apply (lambda ((y Int)) (+ y y)) 2) 6))
(check-sat)
