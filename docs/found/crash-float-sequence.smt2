; z3@5.4.0 crashes
(declare-const a (Seq (_ FloatingPoint 2 2)))
(assert (fp.isNormal (fp.sqrt RTN (seq.nth a 0))))
(check-sat)
