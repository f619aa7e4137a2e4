; Core: Booleans, equality and if-then-else. Part of every logic.
(theory Core
  :booleans-as-numbers (z3)
  :logic ()
  :sorts ((Bool 0))
  :funs (
    (true Bool)
    (false Bool)
    (not Bool Bool)
    (=> Bool Bool Bool :right-assoc)
    (and Bool Bool Bool :left-assoc)
    (or Bool Bool Bool :left-assoc)
    (xor Bool Bool Bool :left-assoc)
    (par (A) (= A A Bool :chainable))
    (par (A) (distinct A A Bool :pairwise))
    (par (A) (ite Bool A A A))))
