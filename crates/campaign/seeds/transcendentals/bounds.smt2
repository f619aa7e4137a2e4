; A cosine near its bound.
(set-logic ALL)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(assert (= y (exp 0.0)))
(assert (> (+ (cos x) y) 2.5))
(check-sat)
