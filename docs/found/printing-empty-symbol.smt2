; z3@5.4.0 prints wrongly
(declare-const || Bool)
(declare-const a Bool)
(display (distinct || a))
