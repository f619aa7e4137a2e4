; z3@5.4.0 eliminates wrongly
(declare-const y Int)
(assert (exists ((x Int)) (= y (mod x (- 2)))))
(apply qe)
