; A checksum of bits read as integers.
(set-logic ALL)
(set-info :status sat)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(assert (= (+ (ubv_to_int a) (ubv_to_int b)) (+ 16 (ubv_to_int (bvadd a b)))))
(assert (bvsgt (bvxor a b) #x0))
(assert (< (to_real (ubv_to_int a)) 9.5))
(check-sat)
