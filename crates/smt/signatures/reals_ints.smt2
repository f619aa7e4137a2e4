; Reals_Ints: conversions between integers and reals. The arithmetic itself is in Ints and Reals.
(theory Reals_Ints
  :booleans-as-numbers (z3)
  :logic IRA
  :extends (Ints Reals)
  :funs (
    (to_real Int Real)
    (to_int Real Int)
    (is_int Real Bool)))
