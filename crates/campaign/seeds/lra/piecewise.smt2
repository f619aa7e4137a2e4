; A tent map visited twice.
(set-logic QF_LRA)
(set-info :status sat)
(declare-const x Real)
(define-fun tent ((t Real)) Real (ite (<= t 0.5) (* 2.0 t) (- 2.0 (* 2.0 t))))
(assert (and (> x 0.0) (< x 1.0)))
(assert (= (tent (tent x)) x))
(assert (not (= (tent x) x)))
(check-sat)
