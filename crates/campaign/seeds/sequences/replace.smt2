; Replacing what is not contained changes nothing.
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Int))
(declare-const t (Seq Int))
(assert (not (seq.contains s t)))
(assert (distinct s (seq.replace s t (seq.unit 0))))
(check-sat)
