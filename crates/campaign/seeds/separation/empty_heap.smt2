; The empty heap holds no cell.
(set-logic QF_ALL)
(set-info :status unsat)
(declare-heap (Int Int))
(declare-const x Int)
(assert sep.emp)
(assert (or (pto x 3) (sep (pto x 1) sep.emp)))
(check-sat)
