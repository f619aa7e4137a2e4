; Between two reals there is a third.
(set-logic LRA)
(set-info :status unsat)
(assert (not (forall ((a Real) (b Real)) (=> (< a b) (exists ((c Real)) (< a c b))))))
(check-sat)
