; The length of a list, by recursion.
(set-logic UFDTLIA)
(set-info :status unsat)
(declare-datatype L ((nil) (cons (hd Int) (tl L))))
(define-fun-rec len ((x L)) Int (ite ((_ is nil) x) 0 (+ 1 (len (tl x)))))
(declare-const x L)
(assert (= x (cons 1 (cons 2 nil))))
(assert (distinct (len x) 2))
(check-sat)
