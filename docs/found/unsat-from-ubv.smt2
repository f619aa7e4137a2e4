; z3@5.4.0 says unsat
; model: ((define-fun a () (_ BitVec 1) #b1))
(declare-const a (_ BitVec 1))
(assert (= (str.from_ubv a) "1"))
(check-sat)
