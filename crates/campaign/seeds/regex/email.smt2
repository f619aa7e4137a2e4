; A word of a small grammar.
(set-logic QF_S)
(set-info :status sat)
(declare-const s String)
(define-fun word () RegLan (re.+ (re.range "a" "z")))
(assert (str.in_re s (re.++ word (str.to_re "@") word (re.opt (re.++ (str.to_re ".") word)))))
(assert (str.contains s ".x"))
(check-sat)
