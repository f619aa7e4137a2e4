; One language lies within another.
(set-logic QF_S)
(set-info :status unsat)
(declare-const s String)
(assert (str.in_re s (re.+ (str.to_re "abab"))))
(assert (not (str.in_re s (re.* (str.to_re "ab")))))
(check-sat)
