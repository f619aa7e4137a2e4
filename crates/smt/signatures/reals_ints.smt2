; Reals_Ints: what joins the integers and the reals. The arithmetic itself stands in Ints and in Reals.
(theory Reals_Ints
  :extends (Ints Reals)
  :funs (
    (to_real Int Real)
    (to_int Real Int)
    (is_int Real Bool)))
