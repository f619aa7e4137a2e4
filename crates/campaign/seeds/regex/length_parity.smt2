; Pairs of letters have even length.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const s String)
(assert (str.in_re s (re.* (re.++ (re.range "a" "c") (re.range "x" "z")))))
(assert (= (mod (str.len s) 2) 1))
(check-sat)
