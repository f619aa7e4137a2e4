; An even number has no inverse.
(set-logic BV)
(set-info :status unsat)
(declare-const c (_ BitVec 5))
(assert (= ((_ extract 0 0) c) #b0))
(assert (exists ((y (_ BitVec 5))) (= (bvmul y c) (_ bv1 5))))
(check-sat)
