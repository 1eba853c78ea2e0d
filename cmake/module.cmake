# One folder of src/ is one static library plus one test program.

find_package(Threads REQUIRED)

add_library(mailroom_options INTERFACE)
target_compile_options(mailroom_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
# g++ 12 sees uninitialised reads in std::optional and std::variant, and overlapping copies in
# std::string, where there are none.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(mailroom_options INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
endif()
# Asserts state invariants whose breach would corrupt data, so they stay on in release builds.
target_compile_options(mailroom_options INTERFACE -UNDEBUG)
target_include_directories(mailroom_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(mailroom_options INTERFACE Threads::Threads)

# The allocator of programs that keep tables; see src/base/allocator.cc, which the linker is told to
# take along. Sanitizers bring their own.
add_library(mailroom_allocator INTERFACE)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(JEMALLOC REQUIRED IMPORTED_TARGET jemalloc)
  target_link_libraries(mailroom_allocator INTERFACE mailroom_base PkgConfig::JEMALLOC)
  target_link_options(mailroom_allocator INTERFACE -Wl,--undefined=malloc_conf)
endif()

# Reading the standard headers is half the work of compiling a file without optimisation, so tests,
# and everything in the sanitizers' builds, read them once for each program. The libraries of the
# release build do not: that shows that every file includes what it needs.
option(MAILROOM_PRECOMPILE "Precompile the headers that most files of a library include" OFF)
function(mailroom_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <chrono> <functional> <map> <memory>
    <optional> <ranges> <string> <string_view> <variant> <vector> ${ARGN})
  # What ccache needs to tell such compilations apart.
  target_compile_options(${target} PRIVATE -fpch-preprocess)
endfunction()

# mailroom_module(NAME [DEPS folder...] [LIBS library...] [TEST_LIBS library...])
#   NAME.cc files become library mailroom_NAME; *_test.cc files become program NAME_test.
#   DEPS are visible to users of the folder; LIBS stay private to its .cc files.
function(mailroom_module name)
  cmake_parse_arguments(ARG "" "" "DEPS;LIBS;TEST_LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc */*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$|/main\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")

  list(TRANSFORM ARG_DEPS PREPEND mailroom_)
  if(sources)
    add_library(mailroom_${name} STATIC ${sources})
    target_link_libraries(mailroom_${name} PUBLIC mailroom_options ${ARG_DEPS} PRIVATE ${ARG_LIBS})
    if(MAILROOM_PRECOMPILE)
      mailroom_precompile(mailroom_${name})
    endif()
  else()
    add_library(mailroom_${name} INTERFACE)
    target_link_libraries(mailroom_${name} INTERFACE mailroom_options ${ARG_DEPS})
  endif()

  if(MAILROOM_TESTS AND tests)
    find_package(GTest REQUIRED)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE
      mailroom_${name} ${ARG_LIBS} ${ARG_TEST_LIBS} GTest::gtest GTest::gtest_main)
    # What is tested is optimised; optimising the tests themselves only takes time.
    target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O0>)
    mailroom_precompile(${name}_test <gtest/gtest.h> <ostream> <sstream>)
    add_test(NAME ${name} COMMAND ${name}_test)
    set_tests_properties(${name} PROPERTIES LABELS unit)
  endif()
endfunction()
