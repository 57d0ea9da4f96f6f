// Nothing, in C++: with it meson leaves the run time of C++ to the compiler, which -static-libstdc++ makes
// link it into a module. For a module of C alone meson asks for the shared one.
