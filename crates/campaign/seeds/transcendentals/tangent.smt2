; The inverse tangent stays below a right angle.
(set-logic ALL)
(set-info :status unsat)
(declare-const x Real)
(assert (> (arctan x) 2.0))
(check-sat)
