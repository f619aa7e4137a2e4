; A relation that is not symmetric.
(set-logic ALL)
(set-info :status sat)
(declare-const r (Relation Int Int))
(assert (set.member (tuple 1 2) r))
(assert (not (set.member (tuple 2 1) r)))
(assert (set.subset (rel.product (set.singleton (tuple 1)) (set.singleton (tuple 3))) r))
(assert (distinct (rel.transpose r) r))
(check-sat)
