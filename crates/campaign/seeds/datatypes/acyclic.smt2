; No list is its own tail.
(set-logic QF_DT)
(set-info :status unsat)
(declare-datatypes ((L 0)) (((nil) (cons (hd Bool) (tl L)))))
(declare-const x L)
(assert ((_ is cons) x))
(assert ((_ is cons) (tl x)))
(assert (= x (tl (tl x))))
(check-sat)
