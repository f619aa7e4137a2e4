; Reducing a number modulo a power of two.
(set-logic ALL)
(set-info :status sat)
(declare-const n Int)
(assert (= ((_ int_to_bv 4) n) #xb))
(assert (< 20 n 40))
(assert (= (ubv_to_int ((_ int_to_bv 3) n)) 3))
(check-sat)
