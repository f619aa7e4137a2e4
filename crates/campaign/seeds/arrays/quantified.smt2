; An array bounded everywhere, broken by one write.
(set-logic AUFLIA)
(set-info :status unsat)
(declare-const a (Array Int Int))
(declare-const k Int)
(assert (forall ((i Int)) (! (<= 0 (select a i) 9) :pattern ((select a i)))))
(assert (> (select (store a k 5) (+ k 1)) 9))
(check-sat)
