; Operators that only cvc5 supports, except those of theories with their own file.
(theory Cvc5
  :solvers (cvc5)
  :syntax (choice witness update declare-codatatypes declare-pool declare-oracle-fun)
  ; floating-point formats other than Float32 and Float64; arrays whose indices are arrays
  :lacks (float-formats array-indices)
  :sorts ((Nullable 1))
  :funs (
    ; strings
    (str.update String Int String String)
    (str.rev String String)
    (str.to_lower String String)
    (str.to_upper String String)
    (str.indexof_re String RegLan Int Int)

    ; string operators on sequences, and sequence operators on strings
    (par (A) (str.++ (Seq A) (Seq A) (Seq A) :left-assoc :alias seq.++))
    (par (A) (str.len (Seq A) Int :alias seq.len))
    (par (A) (str.at (Seq A) Int (Seq A) :alias seq.at))
    (par (A) (str.substr (Seq A) Int Int (Seq A) :alias seq.extract))
    (par (A) (str.contains (Seq A) (Seq A) Bool :alias seq.contains))
    (par (A) (str.prefixof (Seq A) (Seq A) Bool :alias seq.prefixof))
    (par (A) (str.suffixof (Seq A) (Seq A) Bool :alias seq.suffixof))
    (par (A) (str.indexof (Seq A) (Seq A) Int Int :alias seq.indexof))
    (par (A) (str.replace (Seq A) (Seq A) (Seq A) (Seq A) :alias seq.replace))
    (par (A) (str.replace_all (Seq A) (Seq A) (Seq A) (Seq A) :alias seq.replace_all :solvers (z3 cvc5)))
    (par (A) (str.update (Seq A) Int (Seq A) (Seq A) :alias seq.update))
    (par (A) (str.rev (Seq A) (Seq A) :alias seq.rev))
    (seq.update String Int String String :alias str.update)
    (seq.rev String String :alias str.rev)

    ; cardinality bounds on sorts
    (par ((s Nat) (n Nat)) ((_ fmf.card s n) Bool :removed :unevaluated "constrains the cardinality of a sort"))

    ; integers
    (par ((k Nat)) ((_ iand k) Int Int Int :where (> k 0)))
    (piand Int Int Int Int)
    (int.pow2 Int Int)
    (int.log2 Int Int)
    (div_total Int Int Int :removed :unevaluated "internal form of div")
    (mod_total Int Int Int :removed :unevaluated "internal form of mod")
    (/_total Real Real Real :left-assoc :removed :unevaluated "internal form of /")

    ; bit-vectors
    (par ((m Nat)) (bvite (_ BitVec 1) (_ BitVec m) (_ BitVec m) (_ BitVec m)))

    ; equality of arrays between two indices
    (par (A B) (eqrange (Array A B) (Array A B) A A Bool :unevaluated "needs an order on the indices" :experimental (cvc5)))

    ; application of function values
    (par (A B) (@ (-> A B) A B))
    (par (A B C) (@ (-> A B C) A (-> B C)))
    (par (A B C) (@ (-> A B C) A B C))

    ; nullable values
    (par (A) (nullable.some A (Nullable A)))
    (par (A) ((as nullable.null (Nullable A)) (Nullable A)))
    (par (A) (nullable.val (Nullable A) A :open))
    (par (A) (nullable.is_some (Nullable A) Bool))
    (par (A) (nullable.is_null (Nullable A) Bool))
    ; a function of any number of arguments, and one nullable value for each
    (par (A B) (nullable.lift (-> A B) (Nullable A) (Nullable B) :shape lift :removed
      :unevaluated "applies a function to the values of nullable arguments"))

    ; Skolem functions of the solver's proofs, which it reads with an option
    (par (A B) (@array_deq_diff (Array A B) (Array A B) A :removed :unevaluated "Skolem function of the solver"))
    (@div_by_zero Real Real :removed :unevaluated "Skolem function of the solver")
    (@int_div_by_zero Int Int :removed :unevaluated "Skolem function of the solver")
    (@mod_by_zero Int Int :removed :unevaluated "Skolem function of the solver")
    (@strings_num_occur String String Int :removed :unevaluated "Skolem function of the solver")
    (@strings_occur_index String String Int Int :removed :unevaluated "Skolem function of the solver")

    ; floating point: a separate name for each meaning of to_fp
    (par ((eb Nat) (sb Nat) (m Nat)) ((_ to_fp_bv eb sb) (_ BitVec m) (_ FloatingPoint eb sb) :where (= m (+ eb sb))))
    (par ((eb Nat) (sb Nat) (i Nat) (j Nat)) ((_ to_fp_fp eb sb) RoundingMode (_ FloatingPoint i j) (_ FloatingPoint eb sb)))
    (par ((eb Nat) (sb Nat)) ((_ to_fp_real eb sb) RoundingMode Real (_ FloatingPoint eb sb)))
    (par ((eb Nat) (sb Nat) (m Nat)) ((_ to_fp_signed eb sb) RoundingMode (_ BitVec m) (_ FloatingPoint eb sb)))))
