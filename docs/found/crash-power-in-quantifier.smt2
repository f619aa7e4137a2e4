; cvc5@1.4.2 crashes
(set-logic ALL)
(declare-const a String)
(declare-const b Int)
(get-qe (exists ((c Bool)) (str.< (str.at a (^ b 2)) a)))
