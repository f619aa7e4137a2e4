; A grammar for each theory: its name, the declarations of its scripts, and the productions of each nonterminal. Nonterminals are
; written <Name>; everything else is text. Formulas come from <Bool>.

(core
  ((declare-const p Bool) (declare-const q Bool))
  (<Bool> p q true (not <Bool>) (and <Bool> <Bool>) (or <Bool> <Bool>) (xor <Bool> <Bool>) (=> <Bool> <Bool>)
    (= <Bool> <Bool>) (distinct <Bool> <Bool> <Bool>) (ite <Bool> <Bool> <Bool>)))

(uf
  ((declare-sort U 0) (declare-const u U) (declare-const v U) (declare-fun f (U) U) (declare-fun g (U U) Bool))
  (<Bool> (= <U> <U>) (g <U> <U>) (not <Bool>) (and <Bool> <Bool>) (or <Bool> <Bool>) (distinct <U> <U> <U>)
    (forall ((w U)) (= (f w) <U>)) (exists ((w U)) (g w <U>)))
  (<U> u v (f <U>) (ite <Bool> <U> <U>)))

(ints
  ((declare-const x Int) (declare-const y Int))
  (<Bool> (< <Int> <Int>) (<= <Int> <Int>) (= <Int> <Int>) (not <Bool>) (and <Bool> <Bool>) (or <Bool> <Bool>)
    ((_ divisible 2) <Int>))
  (<Int> x y 0 1 2 (+ <Int> <Int>) (- <Int> <Int>) (- <Int>) (* <Int> <Int>) (div <Int> <Int>) (mod <Int> <Int>) (abs <Int>)
    (ite <Bool> <Int> <Int>)))

(reals
  ((declare-const x Real) (declare-const y Real))
  (<Bool> (< <Real> <Real>) (<= <Real> <Real>) (= <Real> <Real>) (not <Bool>) (and <Bool> <Bool>) (or <Bool> <Bool>) (is_int <Real>))
  (<Real> x y 0.0 1.0 0.5 (+ <Real> <Real>) (- <Real> <Real>) (- <Real>) (* <Real> <Real>) (/ <Real> <Real>)
    (to_real (to_int <Real>)) (ite <Bool> <Real> <Real>)))

(quantified
  ((declare-const x Int) (declare-fun f (Int) Int))
  (<Bool> (forall ((n Int)) <Open>) (exists ((n Int)) <Open>) (not <Bool>) (and <Bool> <Bool>) (or <Bool> <Bool>) (= <Closed> <Closed>))
  (<Open> (< <Int> <Int>) (= <Int> <Int>) (not <Open>) (or <Open> <Open>) (forall ((m Int)) (< m <Int>)) (exists ((m Int)) (= m <Int>)))
  (<Int> n x 0 1 (f <Int>) (+ <Int> <Int>) (* 2 <Int>) (mod <Int> 2))
  (<Closed> x 0 (f <Closed>) (+ <Closed> 1)))

(bitvectors
  ((declare-const a (_ BitVec 3)) (declare-const b (_ BitVec 3)))
  (<Bool> (= <B> <B>) (bvult <B> <B>) (bvule <B> <B>) (bvslt <B> <B>) (bvsle <B> <B>) (not <Bool>) (and <Bool> <Bool>) (or <Bool> <Bool>))
  (<B> a b #b000 #b001 #b100 #b111 (bvnot <B>) (bvneg <B>) (bvand <B> <B>) (bvor <B> <B>) (bvxor <B> <B>) (bvadd <B> <B>) (bvsub <B> <B>)
    (bvmul <B> <B>) (bvudiv <B> <B>) (bvurem <B> <B>) (bvsdiv <B> <B>) (bvsrem <B> <B>) (bvsmod <B> <B>) (bvshl <B> <B>) (bvlshr <B> <B>)
    (bvashr <B> <B>) ((_ rotate_left 1) <B>) (concat ((_ extract 0 0) <B>) ((_ extract 2 1) <B>)) ((_ sign_extend 2) ((_ extract 1 1) <B>))
    (concat #b00 (bvcomp <B> <B>)) (ite <Bool> <B> <B>)))

(arrays
  ((declare-const s (Array Int Int)) (declare-const t (Array Int Int)) (declare-const i Int) (declare-const j Int))
  (<Bool> (= <Array> <Array>) (= <Int> <Int>) (< <Int> <Int>) (not <Bool>) (and <Bool> <Bool>) (or <Bool> <Bool>))
  (<Array> s t ((as const (Array Int Int)) <Int>) (store <Array> <Int> <Int>) (ite <Bool> <Array> <Array>))
  (<Int> i j 0 1 (select <Array> <Int>)))

(datatypes
  ((declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L))))) (declare-const l L) (declare-const m L) (declare-const n Int))
  (<Bool> (= <L> <L>) ((_ is nil) <L>) ((_ is cons) <L>) (= <Int> <Int>) (not <Bool>) (and <Bool> <Bool>) (or <Bool> <Bool>)
    (match <L> ((nil <Bool>) ((cons h r) (= r <L>)))))
  (<L> l m nil (cons <Int> <L>) (tail <L>) (ite <Bool> <L> <L>))
  (<Int> n 0 (head <L>)))

(strings
  ((declare-const s String) (declare-const t String) (declare-const i Int))
  (<Bool> (= <S> <S>) (str.< <S> <S>) (str.<= <S> <S>) (str.prefixof <S> <S>) (str.suffixof <S> <S>) (str.contains <S> <S>)
    (str.is_digit <S>) (= <I> <I>) (< <I> <I>) (not <Bool>) (and <Bool> <Bool>) (or <Bool> <Bool>))
  (<S> s t "" "a" "0" (str.++ <S> <S>) (str.at <S> <I>) (str.substr <S> <I> <I>) (str.replace <S> <S> <S>) (str.replace_all <S> <S> <S>)
    (str.from_int <I>) (str.from_code <I>))
  (<I> i 0 1 (- 1) (str.len <S>) (str.indexof <S> <S> <I>) (str.to_int <S>) (str.to_code <S>) (+ <I> <I>)))

(regexes
  ((declare-const s String))
  (<Bool> (str.in_re <S> <R>) (not <Bool>) (and <Bool> <Bool>) (or <Bool> <Bool>))
  (<S> s "" "a" "ab" (str.++ <S> <S>) (str.replace_re <S> <R> <S>) (str.replace_re_all <S> <R> <S>))
  (<R> re.none re.all re.allchar (str.to_re "") (str.to_re "a") (str.to_re "ab") (re.range "a" "b") (re.++ <R> <R>) (re.union <R> <R>)
    (re.inter <R> <R>) (re.diff <R> <R>) (re.* <R>) (re.+ <R>) (re.opt <R>) (re.comp <R>) ((_ re.^ 2) <R>) ((_ re.loop 1 2) <R>)))

(floats
  ((declare-const x (_ FloatingPoint 8 24)) (declare-const y (_ FloatingPoint 8 24)) (declare-const r RoundingMode))
  (<Bool> (= <F> <F>) (fp.eq <F> <F>) (fp.lt <F> <F>) (fp.leq <F> <F>) (fp.isNaN <F>) (fp.isZero <F>) (fp.isInfinite <F>)
    (fp.isNegative <F>) (fp.isSubnormal <F>) (not <Bool>) (and <Bool> <Bool>) (or <Bool> <Bool>))
  (<F> x y (_ +zero 8 24) (_ -zero 8 24) (_ NaN 8 24) (_ +oo 8 24) (fp #b0 #x7F #b00000000000000000000000) (fp.abs <F>) (fp.neg <F>)
    (fp.min <F> <F>) (fp.max <F> <F>) (fp.add <Mode> <F> <F>) (fp.sub <Mode> <F> <F>) (fp.mul <Mode> <F> <F>) (fp.roundToIntegral <Mode> <F>))
  (<Mode> r RNE RTZ))

(sequences
  ((declare-const s (Seq Int)) (declare-const t (Seq Int)) (declare-const i Int))
  (<Bool> (= <Q> <Q>) (seq.prefixof <Q> <Q>) (seq.suffixof <Q> <Q>) (seq.contains <Q> <Q>) (= <I> <I>) (< <I> <I>) (not <Bool>)
    (and <Bool> <Bool>) (or <Bool> <Bool>))
  (<Q> s t (as seq.empty (Seq Int)) (seq.unit <I>) (seq.++ <Q> <Q>) (seq.extract <Q> <I> <I>) (seq.at <Q> <I>) (seq.replace <Q> <Q> <Q>))
  (<I> i 0 1 (- 1) (seq.len <Q>) (seq.indexof <Q> <Q> <I>) (seq.nth <Q> <I>)))
