; A word in three languages at once.
(set-logic QF_S)
(set-info :status sat)
(declare-const s String)
(assert (str.in_re s (re.inter (re.++ re.all (str.to_re "ab") re.all) (re.++ re.all (str.to_re "ba") re.all)
  (re.comp (re.++ re.all (str.to_re "aba") re.all)))))
(check-sat)
