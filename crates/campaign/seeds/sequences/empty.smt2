; The empty sequence is a prefix of all, and only of itself a superset.
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Real))
(assert (or (not (seq.prefixof (as seq.empty (Seq Real)) s)) (and (seq.contains (as seq.empty (Seq Real)) s) (> (seq.len s) 0))))
(check-sat)
