; A word between two others that ends in a digit or a capital.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const w String)
(declare-const d String)
(assert (and (str.< "b" w) (str.<= w "ba")))
(assert (= w (str.++ "b" d)))
(assert (or (str.is_digit d) (= d "A")))
(check-sat)
