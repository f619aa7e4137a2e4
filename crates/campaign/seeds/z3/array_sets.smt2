; Arrays of Booleans as sets.
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Array Int Bool))
(declare-const t (Array Int Bool))
(assert (subset s (complement t)))
(assert (select (intersection s t) 3))
(assert (= (union s t) (setminus (union t s) (intersection s t))))
(check-sat)
