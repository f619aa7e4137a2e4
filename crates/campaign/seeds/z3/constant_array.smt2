; Almost all cells are zero.
(set-logic QF_ALIA)
(set-info :status sat)
(declare-const a (Array Int Int))
(declare-const i Int)
(assert (= a (store ((as const (Array Int Int)) 0) 3 5)))
(assert (> (select a i) 0))
(assert (distinct (+ i (select a i)) 9))
(check-sat)
