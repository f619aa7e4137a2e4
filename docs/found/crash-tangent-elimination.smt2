; z3@5.4.0 crashes
(assert (exists ((b Real)) (< (tan b) 0)))
(apply qe_rec)
