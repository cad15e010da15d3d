# find_package(odim): defines odim::odim, the shared library, and odim::odim_static, the static one. The static library
# needs zlib, liblzma, libzstd, libbz2, Expat and SQLite; without their development files odim::odim_static is not defined.
include(${CMAKE_CURRENT_LIST_DIR}/odim-shared.cmake)
find_package(ZLIB QUIET)
find_package(LibLZMA QUIET)
find_package(BZip2 QUIET)
find_package(EXPAT QUIET)
find_package(SQLite3 QUIET)
find_library(odim_zstd zstd)
mark_as_advanced(odim_zstd)
find_package(Threads QUIET)
if(ZLIB_FOUND AND LIBLZMA_FOUND AND BZIP2_FOUND AND EXPAT_FOUND AND SQLite3_FOUND AND odim_zstd AND Threads_FOUND)
  include(${CMAKE_CURRENT_LIST_DIR}/odim-static.cmake)
endif()
