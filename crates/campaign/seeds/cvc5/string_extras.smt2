; Reversal, case and update.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const s String)
(assert (= (str.rev s) (str.to_lower "CBA")))
(assert (= (str.update s 1 "X") "aXc"))
(assert (= (str.to_upper s) "ABC"))
(assert (= (str.indexof_re s (re.range "b" "c") 0) 1))
(check-sat)
