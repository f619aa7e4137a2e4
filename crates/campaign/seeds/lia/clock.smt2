; Angles of two hands, by division and remainder.
(set-logic QF_LIA)
(set-info :status sat)
(declare-const t Int)
(assert (and (<= 0 t) (< t 720)))
(assert (= (abs (- (* 6 (mod t 60)) (div t 2))) 90))
(assert (> (div t 60) 3))
(check-sat)
