; z3@5.4.0 says sat
(assert (set.subset (set.difference (set.singleton (fp #b0 #b000 #x0)) (set.singleton (_ NaN 3 5))) (set.singleton (_ -zero 3 5))))
(check-sat)
