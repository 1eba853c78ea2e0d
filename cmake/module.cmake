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

# Headers that most files include are compiled once for all libraries, and once for all programs of
# tests: to read them again and again is two fifths of the work of a build.
#   mailroom_headers(NAME HEADER...)     makes them
#   mailroom_use_headers(TARGET NAME)    uses them
function(mailroom_use_headers target name)
  target_compile_options(${target} PRIVATE -fpch-preprocess)  # ccache asks for it.
  # g++ 12 sees wrong copies in std::string, and forgets that those are the system's headers.
  target_compile_options(${target} PRIVATE
    -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  if(NOT target STREQUAL name)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
function(mailroom_headers name)
  file(CONFIGURE OUTPUT ${name}.cc CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc)
  target_link_libraries(${name} PRIVATE mailroom_options)
  target_precompile_headers(${name} PRIVATE <algorithm> <atomic> <chrono> <condition_variable>
    <functional> <map> <memory> <mutex> <optional> <ranges> <string> <string_view> <thread>
    <variant> <vector> ${ARGN})
  mailroom_use_headers(${name} ${name})
endfunction()

# Most of the work of compiling a file for a sanitizer, or a file of tests, is what it asks of
# templates of headers, so many files of a folder are compiled as one. Those of the product are not
# in the release build, and fewer tests are: a changed file is compiled soon.
set(MAILROOM_BATCH_FILES_MAX 1 CACHE STRING "How many files of a folder are compiled as one")
set(MAILROOM_BATCH_TESTS_MAX 6 CACHE STRING "The same of tests")
# Without them every file is seen to include what it needs; the fuzzers' build is without.
option(MAILROOM_LIBRARY_HEADERS "Compile the headers of the libraries once for all" ON)
if(MAILROOM_LIBRARY_HEADERS)
  mailroom_headers(library_headers)
endif()
# These speak of a file that others include, and of a local name that another file has outside. As a
# library, because they have to come after those of mailroom_options.
add_library(mailroom_batch_options INTERFACE)
target_compile_options(mailroom_batch_options INTERFACE -Wno-subobject-linkage -Wno-shadow)
function(mailroom_batch target files_max)
  if(files_max EQUAL 1)
    return()
  endif()
  target_link_libraries(${target} PRIVATE mailroom_batch_options)
  get_target_property(sources ${target} SOURCES)
  execute_process(
    COMMAND ${MAILROOM_PYTHON} -B ${CMAKE_SOURCE_DIR}/cmake/batches.py ${files_max} ${sources}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    OUTPUT_VARIABLE batches OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" batches "${batches}")
  foreach(source batch IN ZIP_LISTS sources batches)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${batch})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# Links take a fifth of the time with it, and a changed file links every program of tests above it.
if(MAILROOM_TESTS)
  find_program(LLD ld.lld)
  if(LLD)
    target_link_options(mailroom_options INTERFACE -fuse-ld=lld)
  endif()
endif()

# What every program of tests has. What is tested is optimised; optimising the tests themselves only
# takes time.
if(MAILROOM_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  mailroom_headers(test_headers <gtest/gtest.h> <ostream> <sstream>)
  target_link_libraries(test_headers PRIVATE GTest::gtest)
  target_compile_options(test_headers PRIVATE -O0)
endif()
function(mailroom_test_program target)
  target_link_libraries(${target} PRIVATE GTest::gtest GTest::gtest_main)
  target_compile_options(${target} PRIVATE -O0)
  mailroom_use_headers(${target} test_headers)
  mailroom_batch(${target} ${MAILROOM_BATCH_TESTS_MAX})
endfunction()

# mailroom_module(NAME [ONE_THREAD] [DEPS folder...] [LIBS library...] [TEST_LIBS library...])
#   NAME.cc files become library mailroom_NAME; *_test.cc files become program NAME_test.
#   DEPS are visible to users of the folder; LIBS stay private to its .cc files.
#   ONE_THREAD: nothing in the folder is shared between threads, nor do its tests start any, so the
#   thread sanitizer has nothing to find in them (tests/tidy holds the folder to it).
function(mailroom_module name)
  cmake_parse_arguments(ARG "ONE_THREAD" "" "DEPS;LIBS;TEST_LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc */*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$|/main\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")

  list(TRANSFORM ARG_DEPS PREPEND mailroom_)
  if(sources)
    add_library(mailroom_${name} STATIC ${sources})
    target_link_libraries(mailroom_${name} PUBLIC mailroom_options ${ARG_DEPS} PRIVATE ${ARG_LIBS})
    mailroom_batch(mailroom_${name} ${MAILROOM_BATCH_FILES_MAX})
    if(TARGET library_headers)
      mailroom_use_headers(mailroom_${name} library_headers)
    endif()
  else()
    add_library(mailroom_${name} INTERFACE)
    target_link_libraries(mailroom_${name} INTERFACE mailroom_options ${ARG_DEPS})
  endif()

  if(ARG_ONE_THREAD AND CMAKE_BUILD_TYPE STREQUAL "Tsan")
    set(tests "")
  endif()
  if(MAILROOM_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE mailroom_${name} ${ARG_LIBS} ${ARG_TEST_LIBS})
    mailroom_test_program(${name}_test)
    add_test(NAME ${name} COMMAND ${name}_test)
    set_tests_properties(${name} PROPERTIES LABELS unit)
    # Each by itself, to be chosen by name: ctest -L single -R Pauses. Stages run whole programs,
    # which takes less.
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
      gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST
        PROPERTIES LABELS single)
    endif()
  endif()
endfunction()
