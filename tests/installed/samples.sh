# SPDX-License-Identifier: Apache-2.0
# samples.sh - the samples against the installed development files: each prints 2 4 6.
set -e
prints() { test "$("$@")" = '2 4 6'; }
cc samples/first.c -o by_pkg_config $(pkg-config --cflags --libs tessera)
prints ./by_pkg_config
cc samples/first.c -o by_archive "$(pkg-config --variable=libdir tessera)/libtessera.a" $(pkg-config --static --libs-only-l tessera | sed 's/-ltessera//')
prints ./by_archive
ldd by_archive | grep -q libtessera && exit 1
c++ -std=c++11 samples/first.cpp -o by_wrapper $(pkg-config --cflags --libs tessera)
prints ./by_wrapper
cmake -S samples -B cmake_build
cmake --build cmake_build
for p in shared static wrapped; do prints cmake_build/$p; done
ldd cmake_build/shared | grep -q libtessera.so.0
