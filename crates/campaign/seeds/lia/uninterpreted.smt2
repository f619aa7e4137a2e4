; A function that grows by at least two on each step.
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-fun f (Int) Int)
(declare-const n Int)
(assert (>= (f (+ n 1)) (+ (f n) 2)))
(assert (>= (f (+ n 2)) (+ (f (+ n 1)) 2)))
(assert (< (- (f (+ 2 n)) (f n)) 4))
(check-sat)
