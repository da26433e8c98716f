# Warnings and sanitizers for our own targets; never exported to users.
function(itomap_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wpedantic)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # False alarms, in std::string (GCC bug 105651) and in options that are given by name (GCC bug 105562).
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-maybe-uninitialized)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Vectors of doubles lie anywhere in memory, and their type says so; clang forgets it behind a reference.
    target_compile_options(${target} PRIVATE -fmax-type-align=8)
  endif()
  if(ITOMAP_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  # Nobody reads errno or floating-point traps here, and loops with a choice in them vectorise only without; what is
  # compiled for one instruction set must round alike everywhere, so no contraction behind our back. The innermost loops
  # are the exception: src/CMakeLists.txt.
  target_compile_options(${target} PRIVATE -fno-math-errno -fno-trapping-math -ffp-contract=off)
  # Results must not depend on the number of threads: Eigen stays serial, our own loops are threaded.
  target_compile_definitions(${target} PRIVATE EIGEN_DONT_PARALLELIZE)
  if(ITOMAP_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ITOMAP_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${ITOMAP_SANITIZE})
    if(ITOMAP_SANITIZE MATCHES "address.*undefined")
      # Checks of every pointer before its use double the time to compile. ASan stops at null and at what lies outside of
      # an object; a misaligned one is noticed only where the processor minds.
      target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,vptr,object-size)
    endif()
  endif()
endfunction()

# itomap_unity(target size): the files of a target in batches, where batches are asked for: faster from scratch, slower after a
# change. A name in an unnamed namespace is then the name of a batch, so that it may stand in the shadow of another file's.
function(itomap_unity target size)
  if(ITOMAP_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>)
  endif()
endfunction()

# itomap_precompile(target headers...): the headers of other projects that most files include, read once. A target's
# headers are shared by those that call itomap_precompiled_as(it): same flags, no second reading.
function(itomap_precompile target)
  if(ITOMAP_PRECOMPILE)
    itomap_precompile_flags(${target})
    target_precompile_headers(${target} PRIVATE <Eigen/Core> <fmt/format.h> <algorithm> <cmath> <functional> <string>
                                                <vector> ${ARGN})
  endif()
endfunction()

function(itomap_precompiled_as other target)
  if(ITOMAP_PRECOMPILE)
    itomap_precompile_flags(${target})
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

# False alarms inside the standard library, which GCC keeps to itself only in headers that it has just read.
function(itomap_precompile_flags target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow
                                             -Wno-stringop-overread)
  endif()
endfunction()
