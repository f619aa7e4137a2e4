; FixedSizeBitVectors: bit-vectors of any width, including the operators that the logic QF_BV adds to the theory.
; The parser handles the literals #b…, #x… and (_ bvN m).
(theory FixedSizeBitVectors
  :booleans-as-numbers (z3)
  :logic BV
  :sorts (((_ BitVec m) 0))
  :funs (
    ; concatenation, extraction, extension, rotation
    (par ((i Nat) (m Nat)) (concat (_ BitVec i) (_ BitVec m) (_ BitVec (+ i m)) :left-assoc))
    (par ((i Nat) (j Nat) (m Nat)) ((_ extract i j) (_ BitVec m) (_ BitVec (+ (- i j) 1)) :where (and (< i m) (<= j i))))
    (par ((i Nat) (m Nat)) ((_ repeat i) (_ BitVec m) (_ BitVec (* i m)) :where (>= i 1)))
    (par ((i Nat) (m Nat)) ((_ zero_extend i) (_ BitVec m) (_ BitVec (+ m i))))
    (par ((i Nat) (m Nat)) ((_ sign_extend i) (_ BitVec m) (_ BitVec (+ m i))))
    (par ((i Nat) (m Nat)) ((_ rotate_left i) (_ BitVec m) (_ BitVec m)))
    (par ((i Nat) (m Nat)) ((_ rotate_right i) (_ BitVec m) (_ BitVec m)))

    ; bitwise
    (par ((m Nat)) (bvnot (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvand (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc))
    (par ((m Nat)) (bvor (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc))
    (par ((m Nat)) (bvxor (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc))
    (par ((m Nat)) (bvnand (_ BitVec m) (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvnor (_ BitVec m) (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvxnor (_ BitVec m) (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvcomp (_ BitVec m) (_ BitVec m) (_ BitVec 1)))

    ; arithmetic; division by zero is defined
    (par ((m Nat)) (bvneg (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvadd (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc))
    (par ((m Nat)) (bvmul (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc))
    (par ((m Nat)) (bvsub (_ BitVec m) (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvudiv (_ BitVec m) (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvurem (_ BitVec m) (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvsdiv (_ BitVec m) (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvsrem (_ BitVec m) (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvsmod (_ BitVec m) (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvshl (_ BitVec m) (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvlshr (_ BitVec m) (_ BitVec m) (_ BitVec m)))
    (par ((m Nat)) (bvashr (_ BitVec m) (_ BitVec m) (_ BitVec m)))

    ; comparison
    (par ((m Nat)) (bvult (_ BitVec m) (_ BitVec m) Bool))
    (par ((m Nat)) (bvule (_ BitVec m) (_ BitVec m) Bool))
    (par ((m Nat)) (bvugt (_ BitVec m) (_ BitVec m) Bool))
    (par ((m Nat)) (bvuge (_ BitVec m) (_ BitVec m) Bool))
    (par ((m Nat)) (bvslt (_ BitVec m) (_ BitVec m) Bool))
    (par ((m Nat)) (bvsle (_ BitVec m) (_ BitVec m) Bool))
    (par ((m Nat)) (bvsgt (_ BitVec m) (_ BitVec m) Bool))
    (par ((m Nat)) (bvsge (_ BitVec m) (_ BitVec m) Bool))

    ; overflow
    (par ((m Nat)) (bvnego (_ BitVec m) Bool :since 2.7))
    (par ((m Nat)) (bvuaddo (_ BitVec m) (_ BitVec m) Bool :since 2.7))
    (par ((m Nat)) (bvsaddo (_ BitVec m) (_ BitVec m) Bool :since 2.7))
    (par ((m Nat)) (bvumulo (_ BitVec m) (_ BitVec m) Bool :since 2.7))
    (par ((m Nat)) (bvsmulo (_ BitVec m) (_ BitVec m) Bool :since 2.7))
    (par ((m Nat)) (bvusubo (_ BitVec m) (_ BitVec m) Bool :since 2.7))
    (par ((m Nat)) (bvssubo (_ BitVec m) (_ BitVec m) Bool :since 2.7))
    (par ((m Nat)) (bvsdivo (_ BitVec m) (_ BitVec m) Bool :since 2.7))

    ; conversion to and from integers
    (par ((m Nat)) (ubv_to_int (_ BitVec m) Int :since 2.7))
    (par ((m Nat)) (sbv_to_int (_ BitVec m) Int :since 2.7))
    (par ((m Nat)) ((_ int_to_bv m) Int (_ BitVec m) :where (> m 0) :since 2.7))))
