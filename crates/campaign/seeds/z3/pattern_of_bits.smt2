; Bits as Booleans and a text that shows a number.
(set-logic ALL)
(set-info :status sat)
(declare-const x (_ BitVec 8))
(assert ((_ bit2bool 7) x))
(assert (= (str.from_ubv x) "200"))
(assert (= (str.from_sbv x) (str.++ "-" "56")))
(check-sat)
