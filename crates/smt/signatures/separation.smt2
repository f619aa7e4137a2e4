; Separation logic, as in cvc5. (declare-heap (LOCATION DATA)) declares the sorts of the heap.
(theory SeparationLogic
  :solvers (cvc5)
  :syntax (declare-heap)
  :funs (
    (sep.emp Bool :unevaluated "depends on the heap, which standard models do not contain")
    (par (A) ((as sep.nil A) A :unevaluated "a location that the solver chooses"))
    (par (A B) (pto A B Bool :unevaluated "depends on the heap"))
    (sep Bool Bool Bool :left-assoc :unevaluated "depends on the heap")
    (wand Bool Bool Bool :unevaluated "depends on the heap")))
