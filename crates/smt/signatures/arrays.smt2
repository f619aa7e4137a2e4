; ArraysEx: total arrays with extensionality. Constant arrays are an extension that most solvers support.
(theory ArraysEx
  :logic A
  :sorts ((Array 2))
  :funs (
    (par (A B) (select (Array A B) A B))
    (par (A B) (store (Array A B) A B (Array A B)))
    (par (A B) ((as const (Array A B)) B (Array A B) :values-only (cvc5) :solvers (z3 cvc5) :experimental (cvc5)))))
