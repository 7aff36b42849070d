//! The committed TypeScript is what the contract says.

use std::path::Path;

#[test]
fn the_committed_bindings_are_those_of_the_contract() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../ui/src/lib/backend/bindings.ts");
    let now = talaria_api::typescript::bindings();
    if std::env::var_os("UPDATE_BINDINGS").is_some() {
        fs_err::write(&path, &now).expect("the bindings are written");
    }
    let committed = fs_err::read_to_string(&path).expect("the bindings are committed");
    assert!(
        committed == now,
        "run UPDATE_BINDINGS=1 cargo test -p talaria-api bindings and commit the result"
    );
}
