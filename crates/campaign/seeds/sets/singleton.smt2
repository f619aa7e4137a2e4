; A singleton within a set of two.
(set-logic ALL)
(set-info :status sat)
(declare-const s (Set Int))
(assert (set.member 3 s))
(assert (= s (set.inter s (set.insert 3 4 (as set.empty (Set Int))))))
(assert (set.is_singleton s))
(check-sat)
