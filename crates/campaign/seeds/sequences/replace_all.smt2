; Every one becomes a two.
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Int))
(assert (= s (seq.++ (seq.unit 1) (seq.unit 3) (seq.unit 1))))
(assert (distinct (seq.replace_all s (seq.unit 1) (seq.unit 2)) (seq.++ (seq.unit 2) (seq.unit 3) (seq.unit 2))))
(check-sat)
