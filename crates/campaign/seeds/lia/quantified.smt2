; Every number of at least eight is a sum of threes and fives.
(set-logic LIA)
(set-info :status sat)
(assert (forall ((n Int)) (=> (>= n 8) (exists ((a Int) (b Int)) (and (>= a 0) (>= b 0) (= n (+ (* 3 a) (* 5 b))))))))
(check-sat)
