; A value that may be missing.
(set-logic ALL)
(set-info :status sat)
(declare-const n (Nullable Int))
(assert (nullable.is_some n))
(assert (> (nullable.val n) 3))
(assert (distinct n (nullable.some 4) (as nullable.null (Nullable Int))))
(check-sat)
