; Ints: integers with Euclidean division. Division and remainder by zero are left open by the standard.
(theory Ints
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
