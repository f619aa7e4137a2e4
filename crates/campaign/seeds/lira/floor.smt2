; The floor of a sum exceeds the sum of floors by at most one.
(set-logic QF_LIRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(define-fun gap () Int (- (to_int (+ x y)) (to_int x) (to_int y)))
(assert (or (< gap 0) (> gap 1)))
(check-sat)
