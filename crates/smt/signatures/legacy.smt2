; Old names. The parser accepts them in any script; they are generated only for solvers that still accept them.
; The newest releases reject everything marked :removed.
(theory Legacy
  :logic ()
  :sort-abbreviations (
    (par (A) (RegEx RegLan))
    (par (A B) (=> (-> A B)))
    (par (A B C) (=> (-> A B C))))
  :funs (
    ; string operators from before SMT-LIB 2.6, some of which Z3 still accepts
    (str.to.int String Int :alias str.to_int :solvers (z3))
    (str.to-int String Int :alias str.to_int :solvers (z3))
    (str.from-int Int String :alias str.from_int :solvers (z3))
    (int.to.str Int String :alias str.from_int :solvers (z3))
    (str.to.re String RegLan :alias str.to_re :solvers (z3))
    (str.to-re String RegLan :alias str.to_re :solvers (z3))
    (seq.to.re String RegLan :alias str.to_re :solvers (z3))
    (str.in.re String RegLan Bool :alias str.in_re :solvers (z3))
    (str.in-re String RegLan Bool :alias str.in_re :solvers (z3))
    (seq.in.re String RegLan Bool :alias str.in_re :solvers (z3))
    (re.complement RegLan RegLan :alias re.comp :solvers (z3))
    (re.nostr RegLan :alias re.none :solvers (z3))
    (int-to-str Int String :alias str.from_int :removed)
    (str.code String Int :alias str.to_code :removed)
    (str.from-code Int String :alias str.from_code :removed)
    (str.to-code String Int :alias str.to_code :removed)
    (str.replaceall String String String String :alias str.replace_all :removed)
    (str.replace-all String String String String :alias str.replace_all :removed)
    (str.tolower String String :alias str.to_lower :removed)
    (str.toupper String String :alias str.to_upper :removed)
    (re.sigma RegLan :alias re.allchar :removed)
    (re.full RegLan :alias re.all :removed)
    (str.is-digit String Bool :alias str.is_digit :removed)

    ; CVC4: sets
    (par (A) ((as emptyset (Set A)) (Set A) :alias set.empty :removed))
    (par (A) ((as univset (Set A)) (Set A) :alias set.universe :unevaluated "depends on the solver's choice of a universe" :removed))
    (par (A) (singleton A (Set A) :alias set.singleton :removed))
    (par (A) (insert A (Set A) (Set A) :alias set.insert :removed))
    (par (A) (member A (Set A) Bool :alias set.member :removed))
    (par (A) (card (Set A) Int :alias set.card :removed))
    (par (A) (choose (Set A) A :alias set.choose :removed))
    (par (A) (is_singleton (Set A) Bool :alias set.is_singleton :removed))

    ; CVC4: relations, in the arities that occur in scripts
    (par (A B) (transpose (Set (Tuple A B)) (Set (Tuple B A)) :alias rel.transpose :removed))
    (par (A) (tclosure (Set (Tuple A A)) (Set (Tuple A A)) :alias rel.tclosure :removed))
    (par (A) (iden (Set (Tuple A)) (Set (Tuple A A)) :alias rel.iden :removed))
    (par (A B C) (join (Set (Tuple A B)) (Set (Tuple B C)) (Set (Tuple A C)) :alias rel.join :removed))
    (par (A B) (join (Set (Tuple A)) (Set (Tuple A B)) (Set (Tuple B)) :alias rel.join :removed))
    (par (A B) (product (Set (Tuple A)) (Set (Tuple B)) (Set (Tuple A B)) :alias rel.product :removed))
    (par (A B) (join_image (Set (Tuple A B)) Int (Set (Tuple A)) :alias rel.join_image :removed))

    ; CVC4 and early cvc5: bags
    (par (A) ((as emptybag (Bag A)) (Bag A) :alias bag.empty :removed))
    (par (A) (mkBag A Int (Bag A) :alias bag :removed))
    (par (A) (union_max (Bag A) (Bag A) (Bag A) :alias bag.union_max :removed))
    (par (A) (union_disjoint (Bag A) (Bag A) (Bag A) :alias bag.union_disjoint :removed))
    (par (A) (intersection_min (Bag A) (Bag A) (Bag A) :alias bag.inter_min :removed))
    (par (A) (difference_subtract (Bag A) (Bag A) (Bag A) :alias bag.difference_subtract :removed))
    (par (A) (difference_remove (Bag A) (Bag A) (Bag A) :alias bag.difference_remove :removed))
    (par (A) (bag.is_included (Bag A) (Bag A) Bool :alias bag.subbag :removed))
    (par (A) (subbag (Bag A) (Bag A) Bool :alias bag.subbag :removed))
    (par (A) (bag.duplicate_removal (Bag A) (Bag A) :alias bag.setof :removed))
    (par (A) (duplicate_removal (Bag A) (Bag A) :alias bag.setof :removed))
    (par (A) (bag.from_set (Set A) (Bag A) :removed))
    (par (A) (bag.to_set (Bag A) (Set A) :removed))
    (par (A) (bag.is_singleton (Bag A) Bool :removed))

    ; CVC4 and early cvc5: numbers and bit-vectors
    (pow2 Int Int :alias int.pow2 :removed)
    (int.ispow2 Int Bool :removed)
    (par ((m Nat)) (bvultbv (_ BitVec m) (_ BitVec m) (_ BitVec 1) :removed))
    (par ((m Nat)) (bvsltbv (_ BitVec m) (_ BitVec m) (_ BitVec 1) :removed))
    (par ((i Nat) (m Nat)) ((_ bitOf i) (_ BitVec m) Bool :where (< i m) :removed))
    (par ((m Nat)) ((_ nat2bv m) Int (_ BitVec m) :alias int_to_bv :where (> m 0) :removed))

    ; early Z3
    (par ((eb Nat) (sb Nat)) (to_ieee_bv (_ FloatingPoint eb sb) (_ BitVec (+ eb sb)) :alias fp.to_ieee_bv :solver-defined :solvers (z3)))
    (equiv Bool Bool Bool :alias = :solvers (z3) :without-logic (z3))
    (par (A) (equiv A A Bool :chainable :alias = :removed))
    (rem0 Int Int Int :unevaluated "internal name of division by zero" :removed)
    (par (A) (set-has-size (Array A Bool) Int Bool :removed))
    (par (A) (card (Array A Bool) Int :removed :unevaluated "a set represented by an array may be infinite"))))
