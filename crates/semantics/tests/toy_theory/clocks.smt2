; Hours on a clock face.
(theory Clocks
  :sorts ((Clock 0))
  :funs (
    (clock Int Clock)
    (clock.add Clock Clock Clock :left-assoc)))
