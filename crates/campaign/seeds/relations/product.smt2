; A product and the identity.
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Relation Int))
(declare-const r (Relation Int Int))
(assert (= r (rel.product a a)))
(assert (set.member (tuple 1 2) r))
(assert (= (rel.iden a) (set.inter r (rel.transpose r))))
(check-sat)
