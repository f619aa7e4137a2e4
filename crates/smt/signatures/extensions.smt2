; Operators that both Z3 and cvc5 accept although they are not in the standard.
(theory Extensions
  :booleans-as-numbers (z3)
  :solvers (z3 cvc5)
  :logic ()
  ; `ill-typed`: scripts that our type checker rejects are worth a try
  :syntax (ill-typed)
  :funs (
    ; connectives with one argument
    (and Bool Bool)
    (or Bool Bool)
    ; arithmetic with implicit conversions between integers and reals
    (/ Int Int Real :left-assoc :open :fragment nonlinear)
    ; not generated: Z3 up to 4.15 converts the argument to an integer first, a known bug that is fixed
    (to_real Real Real :removed)
    (to_int Int Int)
    (is_int Int Bool)
    (abs Real Real)
    (^ Int Int Int :solver-defined :last-value-only (cvc5) :fragment nonlinear)
    (^ Real Real Real :solver-defined :last-value-only (cvc5) :fragment nonlinear)
    ; bit-vectors
    (par ((m Nat)) (bvredor (_ BitVec m) (_ BitVec 1)))
    (par ((m Nat)) (bvredand (_ BitVec m) (_ BitVec 1)))
    (par ((m Nat)) (bv2nat (_ BitVec m) Int :alias ubv_to_int))
    (par ((m Nat)) ((_ int2bv m) Int (_ BitVec m) :alias int_to_bv :where (> m 0)))
    ; sequence operators on strings: a sequence of characters is a string
    (seq.unit Unicode String :solvers (z3))
    (seq.++ String String String :left-assoc :alias str.++)
    (seq.len String Int :alias str.len)
    (seq.at String Int String :alias str.at)
    (seq.extract String Int Int String :alias str.substr)
    (seq.contains String String Bool :alias str.contains)
    (seq.prefixof String String Bool :alias str.prefixof)
    (seq.suffixof String String Bool :alias str.suffixof)
    (seq.indexof String String Int Int :alias str.indexof)
    (seq.replace String String String String :alias str.replace)
    (seq.replace_all String String String String :alias str.replace_all)))
