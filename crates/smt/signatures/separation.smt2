; Separation logic as cvc5 has it. The heap's sorts are those of (declare-heap (LOCATION DATA)).
(theory SeparationLogic
  :solvers (cvc5)
  :funs (
    (sep.emp Bool :unevaluated "speaks of the heap, which a model of the standard does not hold")
    (par (A) ((as sep.nil A) A :unevaluated "a location of the heap's own choice"))
    (par (A B) (pto A B Bool :unevaluated "speaks of the heap"))
    (sep Bool Bool Bool :left-assoc :unevaluated "speaks of the heap")
    (wand Bool Bool Bool :unevaluated "speaks of the heap")))
