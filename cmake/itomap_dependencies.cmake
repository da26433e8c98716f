# The libraries of others. Three are optional, taken if they are there: -DITOMAP_WITH_FFTW=OFF, -DITOMAP_WITH_HDF5=OFF,
# -DITOMAP_WITH_ZIP=OFF. Without these and with fmt compiled in, nothing is needed at run time but what a compiler brings.
option(ITOMAP_FMT_HEADER_ONLY "Compile fmt in instead of linking it" OFF)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(nanoflann REQUIRED)

set(itomap_fmt fmt::fmt)
if(ITOMAP_FMT_HEADER_ONLY)
  set(itomap_fmt $<BUILD_INTERFACE:fmt::fmt-header-only>)
endif()

# itomap_optional(NAME found package text): the option ITOMAP_WITH_<NAME>, on where the library was found.
function(itomap_optional name found package text)
  if(found)
    option(ITOMAP_WITH_${name} ${text} ON)
  else()
    option(ITOMAP_WITH_${name} ${text} OFF)
  endif()
  if(ITOMAP_WITH_${name} AND NOT found)
    message(FATAL_ERROR "${name} was not found: install ${package} or configure with -DITOMAP_WITH_${name}=OFF")
  endif()
endfunction()

# Debian's CMake package of libzip fails unless three programs are installed that nobody here calls.
find_path(LIBZIP_INCLUDE_DIR zip.h)
find_library(LIBZIP_LIBRARY zip)
if(LIBZIP_INCLUDE_DIR AND LIBZIP_LIBRARY)
  set(zip_found TRUE)
endif()
itomap_optional(ZIP "${zip_found}" libzip-dev "Read .npz files")

find_path(FFTW3_INCLUDE_DIR fftw3.h)
find_library(FFTW3_LIBRARY fftw3)
if(FFTW3_INCLUDE_DIR AND FFTW3_LIBRARY)
  set(fftw_found TRUE)
endif()
itomap_optional(FFTW "${fftw_found}" libfftw3-dev "Fourier transforms by FFTW, under the GPL, instead of KISS FFT")
if(NOT ITOMAP_WITH_FFTW)
  find_path(KISSFFT_INCLUDE_DIR kissfft/kissfft.hh REQUIRED)  # a header: Debian's library is single precision
endif()

# Only where it is asked for, by the preset mpi: a program that is linked with MPI needs it to run at all.
option(ITOMAP_WITH_MPI "Share the work among the processes of mpirun" OFF)
if(ITOMAP_WITH_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()

find_package(HDF5 QUIET COMPONENTS C)
itomap_optional(HDF5 "${HDF5_FOUND}" libhdf5-dev "Read HDF5 files")
