; A recursive sum, asked at a small argument.
(set-logic UFLIA)
(set-info :status unsat)
(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))
(declare-const k Int)
(assert (= k (sum 4)))
(assert (not (= k 10)))
(check-sat)
