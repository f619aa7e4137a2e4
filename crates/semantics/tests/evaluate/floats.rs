use crate::check;

#[test]
fn floating_point() {
    check(&[
        (
            "(fp.add RNE ((_ to_fp 8 24) RNE 0.1) ((_ to_fp 8 24) RNE 0.2))",
            "(fp #b0 #b01111101 #b00110011001100110011010)",
        ),
        ("(fp.isNaN (fp.div RNE (_ +zero 8 24) (_ +zero 8 24)))", "true"),
        ("(= (_ +zero 8 24) (_ -zero 8 24))", "false"),
        ("(fp.eq (_ +zero 8 24) (_ -zero 8 24))", "true"),
        ("(= (_ NaN 8 24) (_ NaN 8 24))", "true"),
        ("(fp.eq (_ NaN 8 24) (_ NaN 8 24))", "false"),
        ("(fp.lt (_ -oo 5 11) (_ +zero 5 11) (_ +oo 5 11))", "true"),
        ("(fp.min (_ +zero 5 11) (_ -zero 5 11))", "? left open by the standard: fp.min of both zeros"),
        ("(fp.min (_ +zero 5 11) (_ NaN 5 11))", "(_ +zero 5 11)"),
        ("(fp.to_real (fp #b0 #b10000 #b1000000000))", "3.0"),
        ("(fp.to_real (_ +oo 5 11))", "? left open"),
        ("((_ fp.to_ubv 8) RTZ (fp #b0 #b10000 #b1000000000))", "#x03"),
        ("((_ fp.to_ubv 8) RTZ (fp #b1 #b10000 #b1000000000))", "? left open"),
        ("((_ fp.to_sbv 8) RTZ (fp #b1 #b10000 #b1000000000))", "#xfd"),
        ("((_ to_fp 5 11) #b0100001000000000)", "(fp #b0 #b10000 #b1000000000)"),
        ("((_ to_fp 5 11) RNE #xff)", "(fp #b1 #b01111 #b0000000000)"),
        ("((_ to_fp_unsigned 5 11) RNE #x03)", "(fp #b0 #b10000 #b1000000000)"),
        ("(fp.roundToIntegral RNE (fp #b0 #b10000 #b0100000000))", "(fp #b0 #b10000 #b0000000000)"),
        ("(fp.sqrt RNE (fp #b0 #b10001 #b0000000000))", "(fp #b0 #b10000 #b0000000000)"),
        (
            "(fp.fma RNE (fp #b0 #b10000 #b0000000000) (fp #b0 #b10000 #b0000000000) (_ -zero 5 11))",
            "(fp #b0 #b10001 #b0000000000)",
        ),
        ("(fp.isSubnormal (fp #b0 #b00000 #b0000000001))", "true"),
        (
            "(fp.rem (fp #b0 #b10001 #b0100000000) (fp #b0 #b10000 #b1000000000))",
            "(fp #b1 #b01111 #b0000000000)",
        ),
    ]);
}
