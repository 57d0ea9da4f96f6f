//! Finds libpto: in PTO_LIB_DIR where that is set, else by pkg-config, else builds it from its sources
//! (which the feature `vendored` asks for at once).
use std::env;
use std::path::{Path, PathBuf};

#[path = "build/vendored.rs"]
mod vendored;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-env-changed=PTO_LIB_DIR");
    // rustdoc alone needs no library.
    if env::var("DOCS_RS").is_ok() {
        return;
    }
    let wants = |feature: &str| env::var(format!("CARGO_FEATURE_{feature}")).is_ok();
    let folders = match find(wants("VENDORED")) {
        Ok(folders) => folders,
        Err(why) => return vendored::build(&why),
    };
    for folder in &folders {
        println!("cargo:rustc-link-search=native={}", folder.display());
    }
    let names: Vec<String> = folders.iter().map(|path| path.display().to_string()).collect();
    if wants("STATIC") {
        // Left to itself the linker would take libpto.so.
        if !folders.iter().any(|folder| folder.join("libpto.a").exists()) {
            panic!(
                "the feature `static` needs libpto.a, which is not in {}: build libpto with -Ddefault_library=both, \
                 name the folder in PTO_LIB_DIR, or use the feature `vendored`",
                names.join(" or ")
            );
        }
        println!("cargo:rustc-link-lib=static=pto");
        // rustc links with the C compiler, which adds no C++.
        println!("cargo:rustc-link-lib={}", if cfg!(target_os = "macos") { "c++" } else { "stdc++" });
    } else {
        println!("cargo:rustc-link-lib=pto");
    }
    // Dependents see it as DEP_PTO_LIBDIRS: an rpath does not travel by itself.
    println!("cargo:libdirs={}", names.join(":"));
}

/// The folders of an installed libpto, or why it was not found.
fn find(vendored: bool) -> Result<Vec<PathBuf>, String> {
    if let Ok(folder) = env::var("PTO_LIB_DIR") {
        let there = |name: &str| Path::new(&folder).join(name).exists();
        if !there("libpto.so") && !there("libpto.a") && !there("libpto.dylib") {
            panic!("PTO_LIB_DIR is {folder}, where there is neither libpto.so nor libpto.a: name the folder that has one");
        }
        return Ok(vec![folder.into()]);
    }
    if vendored {
        return Err("the feature `vendored`".into());
    }
    pkg_config::Config::new()
        .atleast_version("0.1")
        .cargo_metadata(false)
        .probe("pto")
        .map(|library| library.link_paths)
        .map_err(|_| "pkg-config knows no libpto".into())
}
