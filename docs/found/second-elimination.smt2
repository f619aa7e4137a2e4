; cvc5@1.4.2 eliminates wrongly
(set-logic LIA)
(declare-const y Int)
(get-qe (exists ((x Int)) (>= x y)))
(get-qe (exists ((x Int)) (>= x 3)))
