# The page of `itomap report`: made of src/report/page by npm, from its lock file, into one C++ file of the library.
# -DITOMAP_WITH_REPORT=OFF leaves it out. Whatever is missing, the library builds: itomap_has_report says which it is.
find_program(ITOMAP_NODE NAMES node nodejs)
find_program(ITOMAP_NPM NAMES npm)
find_package(ZLIB QUIET)
if(ITOMAP_NODE AND ITOMAP_NPM AND ZLIB_FOUND)
  set(report_found TRUE)
endif()
itomap_optional(REPORT "${report_found}" "nodejs, npm and zlib1g-dev" "Write HTML reports")

set(itomap_page ${PROJECT_SOURCE_DIR}/src/report/page)
set(itomap_page_modules ${PROJECT_BINARY_DIR}/report/node_modules)

# itomap_npm_ci(result source folder): what the lock file of `source` names, into folder/node_modules; done once for each
# lock file.
function(itomap_npm_ci result source folder)
  file(SHA256 ${source}/package-lock.json lock)
  set(stamp ${folder}/installed-${lock})
  if(NOT EXISTS ${stamp})
    message(STATUS "Installing the libraries of ${source}/package-lock.json")
    file(REMOVE_RECURSE ${folder})
    file(COPY ${source}/package.json ${source}/package-lock.json ${source}/.npmrc DESTINATION ${folder})
    execute_process(COMMAND ${ITOMAP_NPM} ci --loglevel=error --prefer-offline WORKING_DIRECTORY ${folder}
                    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
    if(failed)
      message(STATUS "npm ci failed: ${said}")
      set(${result} FALSE PARENT_SCOPE)
      return()
    endif()
    file(TOUCH ${stamp})
  endif()
  set(${result} TRUE PARENT_SCOPE)
endfunction()

set(itomap_has_report FALSE)
if(ITOMAP_WITH_REPORT)
  itomap_npm_ci(itomap_has_report ${itomap_page} ${PROJECT_BINARY_DIR}/report)
  if(NOT itomap_has_report)
    message(STATUS "No report: npm could not install its libraries; with a network, configure again")
  endif()
else()
  message(STATUS "No report: install nodejs, npm and zlib1g-dev and configure with -DITOMAP_WITH_REPORT=ON")
endif()

# itomap_report_sources(target): adds the page to the library, or what says that there is none.
function(itomap_report_sources target)
  if(NOT itomap_has_report)
    target_sources(${target} PRIVATE report/no_report.cpp)
    return()
  endif()
  file(GLOB_RECURSE page_files CONFIGURE_DEPENDS ${itomap_page}/src/*)
  set(assets ${PROJECT_BINARY_DIR}/report/assets.cpp)
  add_custom_command(OUTPUT ${assets} DEPENDS ${page_files} ${itomap_page}/bundle.mjs ${itomap_page}/package-lock.json
                     COMMAND ${ITOMAP_NODE} ${itomap_page}/bundle.mjs ${itomap_page_modules} ${assets}
                     COMMENT "Bundling the page of the report" VERBATIM)
  target_sources(${target} PRIVATE ${assets}
    report/column_choice.cpp
    report/directory_data.cpp
    report/figures.cpp
    report/gallery.cpp
    report/map_data.cpp
    report/packed_column.cpp
    report/page.cpp
    report/point_order.cpp
    report/report.cpp
    report/report_data.cpp)
  set_source_files_properties(${assets} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON
                              COMPILE_OPTIONS -Wno-overlength-strings)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:ZLIB::ZLIB> $<INSTALL_INTERFACE:z>)
endfunction()
