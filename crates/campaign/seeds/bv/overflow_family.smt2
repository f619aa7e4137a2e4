; Some overflow predicates hold, the others do not.
(set-logic QF_BV)
(set-info :status sat)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(assert (and (bvumulo a b) (not (bvsmulo a b))))
(assert (and (bvusubo a b) (not (bvssubo a b))))
(assert (not (or (bvnego a) (bvsdivo a b))))
(check-sat)
