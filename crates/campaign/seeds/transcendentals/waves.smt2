; A sum of a sine and a squared cosine stays below three.
(set-logic ALL)
(set-info :status unsat)
(declare-const x Real)
(assert (< 0.0 x 1.0))
(assert (> (+ (sin x) (* (cos x) (cos x))) 3.0))
(check-sat)
