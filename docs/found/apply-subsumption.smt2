; z3@5.4.0 applies wrongly
(assert (not true))
(assert (= (char.from_bv #b110000000000000000) (char.from_bv #b000000000000000000)))
(apply solver-subsumption)
