; Parallel binding: the inner x is the outer y.
(set-logic QF_UF)
(set-info :status unsat)
(declare-const x Bool)
(declare-const y Bool)
(define-fun nand ((u Bool) (v Bool)) Bool (not (and u v)))
(assert (let ((x y) (y x)) (let ((z (nand x y)) (x (or x y))) (and z x (= y (not x))))))
(assert (let ((|a b| (nand y y))) (ite |a b| (nand x y) (distinct x |a b|))))
(check-sat)
