; Division by zero has a fixed value.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 8))
(define-fun z () (_ BitVec 8) (_ bv0 8))
(assert (or (distinct (bvudiv x z) #xff) (distinct (bvurem x z) x) (distinct (bvsrem x z) x) (distinct (bvsmod x z) x)))
(check-sat)
