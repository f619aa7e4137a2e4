; z3@5.4.0 rewriter.coalesce_chars=false gives a wrong model
(declare-const h String)
(declare-const i String)
(assert (distinct h i))
(check-sat)
(get-model)
