"""Conan 2: conan create packaging/conan, in a clone; with -pr:a packaging/conan/system Highway and meson are the machine's."""
import os

from conan import ConanFile
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps
from conan.tools.meson import Meson, MesonToolchain


class Libpto(ConanFile):
    name = "libpto"
    version = "0.1.0"
    license = "Apache-2.0"
    description = "The PTO tile instruction set on any CPU, behind a stable C ABI"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("LICENSE", "meson.build", "meson_options.txt", "include/*", "src/*", "bindings/*.build", "pkgconfig/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def configure(self):
        # The sources are C++20 with a C interface, whatever standard the profile has.
        self.settings.rm_safe("compiler.cppstd")

    def requirements(self):
        self.requires("highway/1.0.3")

    def build_requirements(self):
        self.tool_requires("meson/[>=1.0]")

    def layout(self):
        self.folders.build = "build"
        self.folders.generators = "build/conan"

    def generate(self):
        PkgConfigDeps(self).generate()
        toolchain = MesonToolchain(self)
        for option in ("tests", "examples", "bench"):
            toolchain.project_options[option] = False
        for option in ("cli", "rust", "go", "java", "python"):
            toolchain.project_options[option] = "disabled"
        # The bindings' sources are not exported, only what meson reads on its way past them.
        toolchain.project_options["digests"] = True
        toolchain.generate()

    def build(self):
        meson = Meson(self)
        meson.configure()
        meson.build()

    def package(self):
        Meson(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["pto"]
        self.cpp_info.set_property("cmake_target_name", "pto::pto")
        self.cpp_info.set_property("pkg_config_name", "pto")
        if not self.options.shared:
            self.cpp_info.system_libs = ["stdc++", "m"]
