; Reals: the ordered field of real numbers. The standard does not specify division by zero.
(theory Reals
  :booleans-as-numbers (z3)
  :logic RA
  :sorts ((Real 0))
  :funs (
    (NUMERAL Real)
    (DECIMAL Real)
    (- Real Real)
    (- Real Real Real :left-assoc)
    (+ Real Real Real :left-assoc)
    (* Real Real Real :left-assoc :fragment nonlinear)
    (/ Real Real Real :left-assoc :open :fragment nonlinear)
    (<= Real Real Bool :chainable)
    (< Real Real Bool :chainable)
    (>= Real Real Bool :chainable)
    (> Real Real Bool :chainable)))
