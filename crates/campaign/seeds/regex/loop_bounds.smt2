; The lower bound of a loop above the upper one admits nothing.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const s String)
(assert (str.in_re s (re.union ((_ re.loop 3 2) (str.to_re "a")) ((_ re.loop 2 2) (str.to_re "b")))))
(assert (not (= s "bb")))
(check-sat)
