//! Gives this crate's own tests and examples a run path to the libpto that pto-sys found.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let folders = std::env::var("DEP_PTO_LIBDIRS").unwrap_or_default();
    for folder in folders.split(':').filter(|folder| !folder.is_empty()) {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
}
