//! Finds libpto: in PTO_LIB_DIR where that is set, else by pkg-config.
use std::env;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=PTO_LIB_DIR");
    let folders = match env::var("PTO_LIB_DIR") {
        Ok(folder) => vec![folder],
        Err(_) => match pkg_config::Config::new().atleast_version("0.1").cargo_metadata(false).probe("pto") {
            Ok(library) => library.link_paths.iter().map(|path| path.display().to_string()).collect(),
            // rustdoc alone needs no library.
            Err(_) if env::var("DOCS_RS").is_ok() => return,
            Err(error) => {
                eprintln!("libpto was not found; install it, name its folder in PTO_LIB_DIR, or let PKG_CONFIG_PATH find pto.pc");
                panic!("{error}");
            }
        },
    };
    for folder in &folders {
        println!("cargo:rustc-link-search=native={folder}");
    }
    if env::var("CARGO_FEATURE_STATIC").is_ok() {
        // Left to itself the linker would take libpto.so.
        if !folders.iter().any(|folder| Path::new(folder).join("libpto.a").exists()) {
            panic!(
                "the feature `static` needs libpto.a, which is not in {}: build libpto with -Ddefault_library=both, \
                 or name the folder in PTO_LIB_DIR",
                folders.join(" or ")
            );
        }
        println!("cargo:rustc-link-lib=static=pto");
        // rustc links with the C compiler, which adds no C++.
        println!("cargo:rustc-link-lib={}", if cfg!(target_os = "macos") { "c++" } else { "stdc++" });
    } else {
        println!("cargo:rustc-link-lib=pto");
    }
    // Dependents see it as DEP_PTO_LIBDIRS: an rpath does not travel by itself.
    println!("cargo:libdirs={}", folders.join(":"));
}
