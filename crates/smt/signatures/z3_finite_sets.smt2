; Finite sets, as in Z3: a separate sort, not arrays used as sets.
(theory FiniteSets
  :solvers (z3)
  :extends (Ints)
  :sorts ((FiniteSet 1))
  :funs (
    (par (A) ((as set.empty (FiniteSet A)) (FiniteSet A)))
    (par (A) (set.singleton A (FiniteSet A)))
    (par (A) (set.union (FiniteSet A) (FiniteSet A) (FiniteSet A)))
    (par (A) (set.intersect (FiniteSet A) (FiniteSet A) (FiniteSet A)))
    (par (A) (set.difference (FiniteSet A) (FiniteSet A) (FiniteSet A)))
    (par (A) (set.in A (FiniteSet A) Bool))
    (par (A) (set.subset (FiniteSet A) (FiniteSet A) Bool))
    (par (A) (set.size (FiniteSet A) Int))
    (par (A B) (set.map (Array A B) (FiniteSet A) (FiniteSet B)))
    (par (A) (set.filter (Array A Bool) (FiniteSet A) (FiniteSet A)))
    (set.range Int Int (FiniteSet Int))))
