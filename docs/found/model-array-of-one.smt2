; z3@5.4.0 gives a wrong model
(declare-sort c 0)
(declare-sort d 0)
(declare-datatypes ((e 0)) (((f (g (Array Int c)) (h d)))))
(declare-const t e)
(declare-const u e)
(declare-const z d)
(assert (xor true (= t (f (g u) z)) true true true true))
(check-sat)
