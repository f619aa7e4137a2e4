; A bag of three with a member twice.
(set-logic ALL)
(set-info :status sat)
(declare-const a (Bag Int))
(assert (= (bag.card a) 3))
(assert (= (bag.count 7 a) 2))
(assert (distinct (as bag.empty (Bag Int)) a))
(check-sat)
