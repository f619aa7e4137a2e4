; A sequence of bytes with a checksum.
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq (_ BitVec 8)))
(assert (= (seq.len s) 3))
(assert (= (bvadd (seq.nth s 0) (seq.nth s 1) (seq.nth s 2)) #x00))
(assert (bvult #x10 (seq.nth s 0)))
(assert (seq.contains s (seq.unit #xff)))
(check-sat)
