; Names of the string operators before they were standard.
(set-logic ALL)
(set-info :status unsat)
(declare-const s String)
(assert (str.in.re s (re.+ (re.range "0" "9"))))
(assert (= (str.to.int s) 42))
(assert (= (str.++ "n" (int.to.str 42)) (str.++ "n" s)))
(assert (not (str.in.re s (re.++ (str.to.re "4") re.allchar))))
(check-sat)
