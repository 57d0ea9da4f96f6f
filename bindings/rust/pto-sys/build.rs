//! Finds libpto: in PTO_LIB_DIR where that is set, else by pkg-config.
use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=PTO_LIB_DIR");
    let fixed = env::var("CARGO_FEATURE_STATIC").is_ok();
    let folders = match env::var("PTO_LIB_DIR") {
        Ok(folder) => {
            println!("cargo:rustc-link-search=native={folder}");
            println!("cargo:rustc-link-lib={}=pto", if fixed { "static" } else { "dylib" });
            if fixed {
                // What pto.pc names as private; rustc links with the C compiler, which adds no C++.
                println!("cargo:rustc-link-lib=hwy");
                println!("cargo:rustc-link-lib={}", if cfg!(target_os = "macos") { "c++" } else { "stdc++" });
            }
            vec![folder]
        }
        Err(_) => match pkg_config::Config::new().atleast_version("0.1").statik(fixed).probe("pto") {
            Ok(library) => library.link_paths.iter().map(|path| path.display().to_string()).collect(),
            // rustdoc alone needs no library.
            Err(_) if env::var("DOCS_RS").is_ok() => Vec::new(),
            Err(error) => {
                eprintln!("libpto was not found; install it, name its folder in PTO_LIB_DIR, or let PKG_CONFIG_PATH find pto.pc");
                panic!("{error}");
            }
        },
    };
    // Dependents see it as DEP_PTO_LIBDIRS: an rpath does not travel by itself.
    println!("cargo:libdirs={}", folders.join(":"));
}
