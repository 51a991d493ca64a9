# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""UNTESTED: written by Conan 2's documentation, never run. The core of the checkout that this file is in:

    conan create packaging/conan --build=missing
"""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class JuxtaRecipe(ConanFile):
    name = "juxta"
    description = "Spatial queries as short SIMD sweeps"
    license = "MIT"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "tbb": [True, False]}
    default_options = {"shared": False, "fPIC": True, "tbb": True}

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "..", "..", "include", "juxta", "version.h"))
        self.version = re.search(r'JUXTA_VERSION_STRING "([^"]+)"', header)[1]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "cmake/*", "docs/*", "examples/*", "include/*", "src/*"):
            copy(self, pattern, src=ROOT, dst=self.export_sources_folder)

    def config_options(self):
        if self.settings.os == "Windows":
            del self.options.fPIC

    def requirements(self):
        self.requires("highway/[>=1.0.3 <2]", libs=False)
        self.requires("tl-expected/[>=1.0.0 <2]", transitive_headers=True)
        self.requires("random123/1.14.0")
        if self.options.tbb:
            self.requires("onetbb/[>=2021.8]")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.variables["JUXTA_TBB"] = bool(self.options.tbb)
        for part in ("FILES", "CONTEST", "EXAMPLES"):
            toolchain.variables[f"JUXTA_BUILD_{part}"] = False
        toolchain.variables["JUXTA_WERROR"] = False
        toolchain.generate()
        dependencies = CMakeDeps(self)
        for package, target in (("highway", "hwy"), ("tl-expected", "tl-expected"), ("onetbb", "TBB")):
            dependencies.set_property(package, "cmake_file_name", target)
        dependencies.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build(target="juxta")

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        self.run(f'cmake --install "{self.build_folder}" --prefix "{self.package_folder}" --component library')

    def package_info(self):
        self.cpp_info.libs = ["juxta"]
        # Juxta's own juxta-config.cmake, which has juxta_add_interactions(), in place of a generated one.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "juxta"))
        self.cpp_info.set_property("pkg_config_name", "juxta")
        if self.options.shared:
            self.cpp_info.defines = ["JUXTA_SHARED"]
        if self.settings.os == "Linux":
            self.cpp_info.system_libs = ["pthread", "m"]
