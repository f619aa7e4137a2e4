; cvc5@1.4.2 crashes
(set-logic ALL)
(declare-const a (Seq Int))
(assert (not (seq.prefixof (seq.at (set.choose (as set.empty (Set (Seq Int)))) 0) a)))
(check-sat)
