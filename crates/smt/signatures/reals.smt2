; Reals: the ordered field of real numbers. Division by zero is left open by the standard.
(theory Reals
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
