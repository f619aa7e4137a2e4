; cvc5@1.4.2 crashes
(set-option :produce-interpolants true)
(set-logic ALL)
(declare-const b String)
(get-interpolant formula (= (str.at b 65536) ""))
