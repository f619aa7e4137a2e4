; Words that commute with a letter are powers of it.
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.++ x "a") (str.++ "b" x)))
(check-sat)
