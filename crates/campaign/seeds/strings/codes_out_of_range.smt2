; No code point answers for the empty string or for two letters.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const s String)
(declare-const n Int)
(assert (= s (str.from_code n)))
(assert (= (str.to_code s) (- 1)))
(assert (and (<= 0 n) (< n 196608)))
(check-sat)
