; Finite fields of prime order p. The parser handles the literals (as ffN (_ FiniteField p)) and #fNmP.
(theory FiniteFields
  :solvers (z3 cvc5)
  :logic FF
  :sorts (((_ FiniteField p) 0))
  :funs (
    (par ((p Nat)) (ff.add (_ FiniteField p) (_ FiniteField p) (_ FiniteField p) :left-assoc))
    (par ((p Nat)) (ff.mul (_ FiniteField p) (_ FiniteField p) (_ FiniteField p) :left-assoc))
    (par ((p Nat)) (ff.neg (_ FiniteField p) (_ FiniteField p)))
    (par ((p Nat)) (ff.bitsum (_ FiniteField p) (_ FiniteField p) (_ FiniteField p) :repeat))))
