; A date with a month below thirteen.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const d String)
(define-fun digit () RegLan (re.range "0" "9"))
(assert (str.in_re d (re.++ ((_ re.^ 4) digit) (str.to_re "-") ((_ re.^ 2) digit))))
(assert (<= 1 (str.to_int (str.substr d 5 2)) 12))
(assert (str.prefixof "20" d))
(check-sat)
