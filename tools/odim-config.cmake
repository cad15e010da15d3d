# find_package(odim): defines odim::odim, the shared library, and odim::odim_static, the static one. The static library
# needs zlib; without zlib's development files odim::odim_static is not defined.
include(${CMAKE_CURRENT_LIST_DIR}/odim-shared.cmake)
find_package(ZLIB QUIET)
find_package(Threads QUIET)
if(ZLIB_FOUND AND Threads_FOUND)
  include(${CMAKE_CURRENT_LIST_DIR}/odim-static.cmake)
endif()
