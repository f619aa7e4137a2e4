use crate::check;

#[test]
fn bit_vectors() {
    check(&[
        ("(bvadd #xf #x2)", "#x1"),
        ("(bvadd #x1 #x1 #x1)", "#x3"),
        ("(concat #b1 #b0 #b1)", "#b101"),
        ("((_ extract 2 1) #b1100)", "#b10"),
        ("((_ repeat 2) #b10)", "#xa"),
        ("((_ zero_extend 2) #b11)", "#x3"),
        ("((_ sign_extend 2) #b10)", "#xe"),
        ("((_ rotate_left 1) #b1001)", "#x3"),
        ("((_ rotate_right 5) #b1001)", "#xc"),
        ("(bvudiv #x5 #x0)", "#xf"),
        ("(bvurem #x5 #x0)", "#x5"),
        ("(bvsdiv #xb #x0)", "#x1"),
        ("(bvsdiv #x5 #x0)", "#xf"),
        ("(bvsdiv #x8 #xf)", "#x8"),
        ("(bvsrem #xb #x2)", "#xf"),
        ("(bvsmod #xb #x3)", "#x1"),
        ("(bvsmod #x5 #xd)", "#xf"),
        ("(bvshl #x1 #xf)", "#x0"),
        ("(bvashr #x8 #xf)", "#xf"),
        ("(bvslt #x8 #x7)", "true"),
        ("(bvult #x8 #x7)", "false"),
        ("(bvcomp #x8 #x8)", "#b1"),
        ("(bvxnor #b10 #b11)", "#b10"),
        ("(bvnego #x8)", "true"),
        ("(bvsaddo #x7 #x1)", "true"),
        ("(bvumulo #x4 #x4)", "true"),
        ("(bvsdivo #x8 #xf)", "true"),
        ("(ubv_to_int #xff)", "255"),
        ("(sbv_to_int #xff)", "(- 1)"),
        ("((_ int_to_bv 4) (- 1))", "#xf"),
        ("(bv2nat #xff)", "255"),
        ("((_ int2bv 4) 17)", "#x1"),
        ("(= (_ bv5 8) #x05)", "true"),
        (
            "(bvudiv (_ bv340282366920938463463374607431768211455 128) (_ bv3 128))",
            "#x55555555555555555555555555555555",
        ),
    ]);
}
