; Reversed languages and counted loops over terms.
(set-logic ALL)
(set-info :status sat)
(declare-const s String)
(assert (str.in_re s (re.reverse (re.++ (str.to_re "ab") (re.+ (str.to_re "c"))))))
(assert (str.in_re s (re.loop (re.union (re.range "a" "c") re.nostr) 4 6)))
(assert (str.in_re s ((_ re.loop 2) re.allchar)))
(check-sat)
