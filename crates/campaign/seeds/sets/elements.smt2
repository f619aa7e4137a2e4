; Insertion, singletons and a chosen element.
(set-logic ALL)
(set-info :status sat)
(declare-const a (Set Int))
(assert (= (set.insert 1 2 (as set.empty (Set Int))) (set.union a (set.singleton 2))))
(assert (= (set.choose a) 1))
(assert (set.is_singleton a))
(assert (not (set.is_empty a)))
(check-sat)
