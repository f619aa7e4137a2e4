; All occurrences go, but the result may make a new one.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const s String)
(assert (= (str.replace_all s "aa" "a") "aab"))
(assert (= (str.replace s "b" "") "aaaa"))
(check-sat)
