; Escapes and a character given by its code.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const s String)
(assert (= s (str.++ "\u{e9}" (_ char #x41) "\u0042" """")))
(assert (= (str.len s) 4))
(assert (= (str.to_code (str.at s 0)) 233))
(check-sat)
