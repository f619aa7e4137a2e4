; A sorted sequence with a given member.
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq Int))
(assert (= (seq.len s) 3))
(assert (< (seq.nth s 0) (seq.nth s 1) (seq.nth s 2)))
(assert (seq.contains s (seq.unit 5)))
(assert (= (seq.indexof s (seq.unit 5) 0) 2))
(check-sat)
