; Ints: integers with Euclidean division. The standard does not specify division and remainder by zero.
(theory Ints
  :booleans-as-numbers (z3)
  :logic IA
  :sorts ((Int 0))
  :funs (
    (NUMERAL Int)
    (- Int Int)
    (- Int Int Int :left-assoc)
    (+ Int Int Int :left-assoc)
    (* Int Int Int :left-assoc :fragment nonlinear)
    (div Int Int Int :left-assoc :open :fragment nonlinear)
    (mod Int Int Int :open :fragment nonlinear)
    (abs Int Int)
    (<= Int Int Bool :chainable)
    (< Int Int Bool :chainable)
    (>= Int Int Bool :chainable)
    (> Int Int Bool :chainable)
    (par ((n Nat)) ((_ divisible n) Int Bool :where (> n 0) :solvers (cvc5)))))
