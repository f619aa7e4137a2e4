; A path of two edges.
(set-logic ALL)
(set-info :status unsat)
(declare-const r (Relation Int Int))
(assert (set.member (tuple 1 2) r))
(assert (set.member (tuple 2 3) (rel.transpose (rel.transpose r))))
(assert (not (set.member (tuple 1 3) (rel.join r r))))
(check-sat)
