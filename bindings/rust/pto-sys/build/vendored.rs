//! Builds libpto from its sources: those in the crate's folder `vendor`, or of the repository the crate is in.
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

pub fn build(why: &str) {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let root = [here.join("vendor"), here.join("../../..")].into_iter().find(|root| root.join("src/sources.txt").exists());
    let Some(root) = root else {
        panic!("{why}, and the sources of libpto are not there: install libpto, or name its folder in PTO_LIB_DIR")
    };
    println!("cargo:rerun-if-changed={}", root.join("src").display());
    println!("cargo:rerun-if-changed={}", root.join("include").display());
    println!("cargo:rerun-if-env-changed=PTO_HIGHWAY_INCLUDE");
    let highway = highway(&root);

    // As one archive, but each group of src/sources.txt with flags of its own.
    let groups = groups(&root.join("src/sources.txt"));
    let common: Vec<&str> = groups.iter().filter(|group| group.files.is_empty()).flat_map(|group| group.flags()).collect();
    let mut objects = Vec::new();
    for group in groups.iter().filter(|group| !group.files.is_empty()) {
        let mut build = compiler(&root, highway.as_deref());
        for flag in common.iter().copied().chain(group.flags()) {
            build.flag_if_supported(flag);
        }
        build.files(group.units(&root));
        let compiled = build.try_compile_intermediates().unwrap_or_else(|error| {
            panic!("libpto does not compile here ({error}): it needs a C++20 compiler (g++ 11, clang 14 or newer; \
                 CXX names another) and the headers of Highway (libhwy-dev; PTO_HIGHWAY_INCLUDE names another folder)")
        });
        objects.extend(compiled);
    }
    compiler(&root, None).objects(objects).cargo_metadata(true).compile("pto");
}

fn compiler(root: &Path, highway: Option<&Path>) -> cc::Build {
    let mut build = cc::Build::new();
    build.cpp(true).std("c++20").include(root).include(root.join("include"));
    build.define("NDEBUG", None).define("HWY_STATIC_DEFINE", None).flag_if_supported("-fvisibility=hidden");
    build.opt_level(3).debug(false).warnings(false).extra_warnings(false);
    if let Some(highway) = highway {
        build.include(highway);
    }
    build
}

/// Where Highway's headers are where the compiler does not find them by itself.
fn highway(root: &Path) -> Option<PathBuf> {
    let named = env::var("PTO_HIGHWAY_INCLUDE").ok().map(PathBuf::from);
    [named, Some(root.join("highway"))].into_iter().flatten().find(|folder| folder.join("hwy/highway.h").exists())
}

struct Group {
    name: String,
    words: String,
    files: Vec<String>,
}

impl Group {
    fn flags(&self) -> impl Iterator<Item = &str> {
        self.words.split_whitespace().filter(|word| !word.starts_with("units="))
    }

    /// What the compiler gets: the files, or some at a time as one, which share the time for headers.
    fn units(&self, root: &Path) -> Vec<PathBuf> {
        let files: Vec<PathBuf> = self.files.iter().map(|file| root.join(file)).collect();
        let Some(size) = self.words.split_whitespace().find_map(|word| word.strip_prefix("units=")) else { return files };
        let out = PathBuf::from(env::var("OUT_DIR").unwrap());
        let unit = |(count, files): (usize, &[PathBuf])| {
            let name = out.join(format!("{}{count}.cc", self.name));
            let text: String = files.iter().map(|file| format!("#include \"{}\"\n", file.display())).collect();
            fs::write(&name, text).unwrap();
            name
        };
        files.chunks(size.parse().unwrap()).enumerate().map(unit).collect()
    }
}

/// The list that the other builds read, too.
fn groups(list: &Path) -> Vec<Group> {
    let text = fs::read_to_string(list).unwrap();
    let mut groups: Vec<Group> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.split_once(':') {
            Some((name, words)) => groups.push(Group { name: name.into(), words: words.into(), files: Vec::new() }),
            None => groups.last_mut().expect("a group must be first").files.push(line.into()),
        }
    }
    groups
}
