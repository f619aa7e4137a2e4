; z3@5.4.0 says sat
(assert (= ((_ map and) (store ((as const (Array (_ BitVec 3) Bool)) true) #b000 false) (store ((as const (Array (_ BitVec 3) Bool)) true) #b001 false)) ((as const (Array (_ BitVec 3) Bool)) false)))
(check-sat)
