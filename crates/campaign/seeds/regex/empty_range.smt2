; A range from high to low is empty.
(set-logic QF_S)
(set-info :status unsat)
(declare-const s String)
(assert (str.in_re s (re.opt (re.range "z" "a"))))
(assert (distinct s ""))
(check-sat)
