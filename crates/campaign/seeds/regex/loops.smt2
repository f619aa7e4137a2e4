; Counted repetition and exact powers.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const s String)
(assert (str.in_re s ((_ re.loop 2 4) (str.to_re "ab"))))
(assert (str.in_re s ((_ re.^ 3) (re.++ re.allchar re.allchar))))
(assert (str.in_re s (re.inter (re.* re.allchar) (re.comp re.none))))
(assert (distinct s "ababab" "abab"))
(check-sat)
