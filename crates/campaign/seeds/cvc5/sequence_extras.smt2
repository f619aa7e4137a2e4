; A sequence reversed and updated.
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Int))
(assert (= (seq.rev s) (seq.update s 0 (seq.unit 9))))
(assert (= (seq.len s) 2))
(assert (distinct (seq.nth s 0) (seq.nth s 1)))
(check-sat)
