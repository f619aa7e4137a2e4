; Two digits whose concatenation is a multiple of their sum.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const a String)
(declare-const b String)
(assert (and (str.is_digit a) (str.is_digit b)))
(assert (= (str.to_int (str.++ a b)) (* 4 (+ (str.to_int a) (str.to_int b)))))
(assert (distinct a b "0"))
(check-sat)
