; Relations and tables, as in cvc5: sets and bags of tuples. The parser handles tuples of any length, with the sorts
; (Relation A …) for (Set (Tuple A …)) and (Table A …) for (Bag (Tuple A …)).
(theory Relations
  :solvers (cvc5)
  :extends (Sets Bags)
  :syntax (tuple tuple.unit tuple.select tuple.update tuple.project)
  :sorts ((Tuple *))
  :funs (
    (par (A) (rel.transpose (Set (Tuple A)) (Set (Tuple A))))
    (par (A B) (rel.transpose (Set (Tuple A B)) (Set (Tuple B A))))
    (par (A B C) (rel.transpose (Set (Tuple A B C)) (Set (Tuple C B A))))
    (par (A) (rel.tclosure (Set (Tuple A A)) (Set (Tuple A A))))
    (par (A) (rel.iden (Set (Tuple A)) (Set (Tuple A A))))
    (par (A) (rel.join_image (Set (Tuple A A)) Int (Set (Tuple A)) :last-value-only (cvc5) :experimental (cvc5)))
    (par (A B) (rel.product (Set (Tuple A)) (Set (Tuple B)) (Set (Tuple A B))))
    (par (A B C) (rel.product (Set (Tuple A)) (Set (Tuple B C)) (Set (Tuple A B C))))
    (par (A B C D) (rel.product (Set (Tuple A)) (Set (Tuple B C D)) (Set (Tuple A B C D))))
    (par (A B C) (rel.product (Set (Tuple A B)) (Set (Tuple C)) (Set (Tuple A B C))))
    (par (A B C D) (rel.product (Set (Tuple A B)) (Set (Tuple C D)) (Set (Tuple A B C D))))
    (par (A B C D) (rel.product (Set (Tuple A B C)) (Set (Tuple D)) (Set (Tuple A B C D))))
    (par (A B) (rel.join (Set (Tuple A)) (Set (Tuple A B)) (Set (Tuple B))))
    (par (A B C) (rel.join (Set (Tuple A)) (Set (Tuple A B C)) (Set (Tuple B C))))
    (par (A B) (rel.join (Set (Tuple A B)) (Set (Tuple B)) (Set (Tuple A))))
    (par (A B C) (rel.join (Set (Tuple A B)) (Set (Tuple B C)) (Set (Tuple A C))))
    (par (A B C D) (rel.join (Set (Tuple A B)) (Set (Tuple B C D)) (Set (Tuple A C D))))
    (par (A B C) (rel.join (Set (Tuple A B C)) (Set (Tuple C)) (Set (Tuple A B))))
    (par (A B C D) (rel.join (Set (Tuple A B C)) (Set (Tuple C D)) (Set (Tuple A B D))))
    (par (A B) (table.product (Bag (Tuple A)) (Bag (Tuple B)) (Bag (Tuple A B))))
    (par (A B C) (table.product (Bag (Tuple A)) (Bag (Tuple B C)) (Bag (Tuple A B C))))
    (par (A B C) (table.product (Bag (Tuple A B)) (Bag (Tuple C)) (Bag (Tuple A B C))))
    (par (A B C D) (table.product (Bag (Tuple A B)) (Bag (Tuple C D)) (Bag (Tuple A B C D))))

    ; any number of columns: parsed, never generated
    (par (A B) (rel.transpose (Set A) (Set B) :shape transpose :removed))
    (par (A B C) (rel.product (Set A) (Set B) (Set C) :shape product :removed))
    (par (A B C) (rel.join (Set A) (Set B) (Set C) :shape join :removed))
    (par (A B C) (table.product (Bag A) (Bag B) (Bag C) :shape product :removed))

    ; indices choose columns: `((_ rel.project 2 0) r)`; without indices, no columns
    (par (A B) (rel.project (Set A) (Set B) :shape project :removed))
    (par (A B) (table.project (Bag A) (Bag B) :shape project :removed))
    (par (A) (rel.group (Set A) (Set (Set A)) :shape group :removed
      :unevaluated "whether an empty relation has a part is not documented"))
    (par (A) (table.group (Bag A) (Bag (Bag A)) :shape group :removed
      :unevaluated "whether an empty table has a part is not documented"))
    (par (A B) (rel.aggr (-> A B B) B (Set A) (Set B) :shape aggregate :removed
      :unevaluated "depends on the order of folding"))
    (par (A B) (table.aggr (-> A B B) B (Bag A) (Bag B) :shape aggregate :removed
      :unevaluated "depends on the order of folding"))
    (par (A B C) (rel.table_join (Set A) (Set B) (Set C) :shape join-on :removed
      :unevaluated "not in the documented theory"))
    (par (A B C) (table.join (Bag A) (Bag B) (Bag C) :shape join-on :removed
      :unevaluated "not in the documented theory"))))
