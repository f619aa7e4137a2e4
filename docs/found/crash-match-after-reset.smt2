; z3@5.4.0 crashes
(declare-datatypes ((L 0)) (((nil) (cons (tail L)))))
(define-fun f ((l L)) Bool (match l ((nil true) ((cons t) false))))
(reset)
(declare-datatypes ((L 0)) (((nil) (cons (tail L)))))
(define-fun f ((l L)) Bool (match l ((nil true) ((cons t) false))))
(check-sat)
