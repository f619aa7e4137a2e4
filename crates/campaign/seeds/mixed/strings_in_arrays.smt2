; A dictionary from words to numbers.
(set-logic ALL)
(set-info :status sat)
(declare-const d (Array String Int))
(declare-const k String)
(assert (= (select (store d "one" 1) k) 1))
(assert (= (select (store d "two" 2) k) 2))
(check-sat)
