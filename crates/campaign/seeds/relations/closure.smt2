; The closure holds more than the relation.
(set-logic ALL)
(set-info :status sat)
(declare-const r (Set (Tuple Int Int)))
(assert (set.member (tuple 1 4) (rel.tclosure r)))
(assert (not (set.member (tuple 1 4) r)))
(assert (set.member (tuple 1 2) r))
(check-sat)
