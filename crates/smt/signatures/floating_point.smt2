; FloatingPoint: IEEE 754 binary floating point with exponent width eb and significand width sb (including the hidden bit).
(theory FloatingPoint
  :logic FP
  :sorts ((RoundingMode 0) ((_ FloatingPoint eb sb) 0))
  :sort-abbreviations (
    (Float16 (_ FloatingPoint 5 11))
    (Float32 (_ FloatingPoint 8 24))
    (Float64 (_ FloatingPoint 11 53))
    (Float128 (_ FloatingPoint 15 113)))
  :funs (
    ; rounding modes: long and short names
    (roundNearestTiesToEven RoundingMode)
    (RNE RoundingMode :alias roundNearestTiesToEven)
    (roundNearestTiesToAway RoundingMode)
    (RNA RoundingMode :alias roundNearestTiesToAway)
    (roundTowardPositive RoundingMode)
    (RTP RoundingMode :alias roundTowardPositive)
    (roundTowardNegative RoundingMode)
    (RTN RoundingMode :alias roundTowardNegative)
    (roundTowardZero RoundingMode)
    (RTZ RoundingMode :alias roundTowardZero)

    ; values
    (par ((eb Nat) (i Nat)) (fp (_ BitVec 1) (_ BitVec eb) (_ BitVec i) (_ FloatingPoint eb (+ i 1)) :where (> eb 1)))
    (par ((eb Nat) (sb Nat)) ((_ +oo eb sb) (_ FloatingPoint eb sb) :where (and (> eb 1) (> sb 1))))
    (par ((eb Nat) (sb Nat)) ((_ -oo eb sb) (_ FloatingPoint eb sb) :where (and (> eb 1) (> sb 1))))
    (par ((eb Nat) (sb Nat)) ((_ +zero eb sb) (_ FloatingPoint eb sb) :where (and (> eb 1) (> sb 1))))
    (par ((eb Nat) (sb Nat)) ((_ -zero eb sb) (_ FloatingPoint eb sb) :where (and (> eb 1) (> sb 1))))
    (par ((eb Nat) (sb Nat)) ((_ NaN eb sb) (_ FloatingPoint eb sb) :where (and (> eb 1) (> sb 1))))

    ; arithmetic
    (par ((eb Nat) (sb Nat)) (fp.abs (_ FloatingPoint eb sb) (_ FloatingPoint eb sb)))
    (par ((eb Nat) (sb Nat)) (fp.neg (_ FloatingPoint eb sb) (_ FloatingPoint eb sb)))
    (par ((eb Nat) (sb Nat)) (fp.add RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb)))
    (par ((eb Nat) (sb Nat)) (fp.sub RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb)))
    (par ((eb Nat) (sb Nat)) (fp.mul RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb)))
    (par ((eb Nat) (sb Nat)) (fp.div RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb)))
    (par ((eb Nat) (sb Nat)) (fp.fma RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb)))
    (par ((eb Nat) (sb Nat)) (fp.sqrt RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb)))
    (par ((eb Nat) (sb Nat)) (fp.roundToIntegral RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb)))
    (par ((eb Nat) (sb Nat)) (fp.rem (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb)))
    (par ((eb Nat) (sb Nat)) (fp.min (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :open))
    (par ((eb Nat) (sb Nat)) (fp.max (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :open))

    ; comparison and classification
    (par ((eb Nat) (sb Nat)) (fp.leq (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) Bool :chainable))
    (par ((eb Nat) (sb Nat)) (fp.lt (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) Bool :chainable))
    (par ((eb Nat) (sb Nat)) (fp.geq (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) Bool :chainable))
    (par ((eb Nat) (sb Nat)) (fp.gt (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) Bool :chainable))
    (par ((eb Nat) (sb Nat)) (fp.eq (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) Bool :chainable))
    (par ((eb Nat) (sb Nat)) (fp.isNormal (_ FloatingPoint eb sb) Bool))
    (par ((eb Nat) (sb Nat)) (fp.isSubnormal (_ FloatingPoint eb sb) Bool))
    (par ((eb Nat) (sb Nat)) (fp.isZero (_ FloatingPoint eb sb) Bool))
    (par ((eb Nat) (sb Nat)) (fp.isInfinite (_ FloatingPoint eb sb) Bool))
    (par ((eb Nat) (sb Nat)) (fp.isNaN (_ FloatingPoint eb sb) Bool))
    (par ((eb Nat) (sb Nat)) (fp.isNegative (_ FloatingPoint eb sb) Bool))
    (par ((eb Nat) (sb Nat)) (fp.isPositive (_ FloatingPoint eb sb) Bool))

    ; conversion to floating point: from bits, another format, a real, a signed or unsigned bit-vector
    (par ((eb Nat) (sb Nat) (m Nat)) ((_ to_fp eb sb) (_ BitVec m) (_ FloatingPoint eb sb) :where (and (> eb 1) (> sb 1) (= m (+ eb sb)))))
    (par ((eb Nat) (sb Nat) (i Nat) (j Nat)) ((_ to_fp eb sb) RoundingMode (_ FloatingPoint i j) (_ FloatingPoint eb sb) :where (and (> eb 1) (> sb 1))))
    (par ((eb Nat) (sb Nat)) ((_ to_fp eb sb) RoundingMode Real (_ FloatingPoint eb sb) :where (and (> eb 1) (> sb 1))))
    (par ((eb Nat) (sb Nat) (m Nat)) ((_ to_fp eb sb) RoundingMode (_ BitVec m) (_ FloatingPoint eb sb) :where (and (> eb 1) (> sb 1))))
    (par ((eb Nat) (sb Nat) (m Nat)) ((_ to_fp_unsigned eb sb) RoundingMode (_ BitVec m) (_ FloatingPoint eb sb) :where (and (> eb 1) (> sb 1))))

    ; conversion from floating point; unspecified for NaN, infinities and values out of range
    (par ((m Nat) (eb Nat) (sb Nat)) ((_ fp.to_ubv m) RoundingMode (_ FloatingPoint eb sb) (_ BitVec m) :where (> m 0) :open))
    (par ((m Nat) (eb Nat) (sb Nat)) ((_ fp.to_sbv m) RoundingMode (_ FloatingPoint eb sb) (_ BitVec m) :where (> m 0) :open))
    (par ((eb Nat) (sb Nat)) (fp.to_real (_ FloatingPoint eb sb) Real :open))))
