; cvc5@1.4.2 learns wrongly
(set-option :produce-learned-literals true)
(set-logic QF_AUFBV)
(declare-const b (_ BitVec 2))
(assert (bvssubo #b01 (bvsub #b00 b)))
(check-sat)
(get-learned-literals :preprocess)
