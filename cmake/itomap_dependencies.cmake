# The libraries of others. Two are optional, taken if they are there: -DITOMAP_WITH_FFTW=OFF, -DITOMAP_WITH_HDF5=OFF.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(nanoflann REQUIRED)

# Debian's CMake package of libzip fails unless three programs are installed that nobody here calls.
find_path(LIBZIP_INCLUDE_DIR zip.h REQUIRED)
find_library(LIBZIP_LIBRARY zip REQUIRED)

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

find_path(FFTW3_INCLUDE_DIR fftw3.h)
find_library(FFTW3_LIBRARY fftw3)
if(FFTW3_INCLUDE_DIR AND FFTW3_LIBRARY)
  set(fftw_found TRUE)
endif()
itomap_optional(FFTW "${fftw_found}" libfftw3-dev "Fourier transforms by FFTW, under the GPL, instead of KISS FFT")
if(NOT ITOMAP_WITH_FFTW)
  find_path(KISSFFT_INCLUDE_DIR kissfft/kissfft.hh REQUIRED)  # a header: Debian's library is single precision
endif()

find_package(HDF5 QUIET COMPONENTS C)
itomap_optional(HDF5 "${HDF5_FOUND}" libhdf5-dev "Read HDF5 files")
