# cmake --install: the program with its locks, scenarios, schemas, man pages and completions (component
# "program"), the libraries that it needs, for other machines ("brought_along"), and lockstep::checker and
# lockstep::search as libraries for find_package(Lockstep) and pkg-config ("development").
include(CMakePackageConfigHelpers)

# -- program
set(share ${CMAKE_INSTALL_DATADIR}/lockstep)
set(libraries ${CMAKE_INSTALL_LIBDIR}/lockstep)
get_filename_component(graphviz_plugins ${gvplugin_core_library} DIRECTORY)
file(RELATIVE_PATH libraries_from_bin
  ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/lockstep)
# DT_RPATH, unlike DT_RUNPATH, also counts for what the libraries themselves need.
target_link_options(lockstep PRIVATE LINKER:--disable-new-dtags)
set_target_properties(lockstep PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries_from_bin};${graphviz_plugins}")
install(TARGETS lockstep RUNTIME_DEPENDENCY_SET brought_along
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
# All but the C and C++ libraries and expat, whose newer builds need a newer C library: so one package
# suits several releases of Debian and Ubuntu.
install(RUNTIME_DEPENDENCY_SET brought_along
  PRE_EXCLUDE_REGEXES "^lib(c|m|dl|pthread|rt|gcc_s|stdc\\+\\+|expat)\\.so" "^ld-linux"
  LIBRARY DESTINATION ${libraries} COMPONENT brought_along)
install(TARGETS lockstep_preload lockstep_step_clock
  LIBRARY DESTINATION ${libraries} COMPONENT program)
install(DIRECTORY scripts scenarios app/templates docs/schemas
  DESTINATION ${share} COMPONENT program)
install(DIRECTORY examples/real-clients DESTINATION ${share}/examples COMPONENT program)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program
  PATTERN schemas EXCLUDE)
# The manual is what the program says of itself, so it is made when the program is there.
set(manual_program $<TARGET_FILE:lockstep>)
configure_file(cmake/install_manual.cmake.in install_manual.cmake.in @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/install_manual.cmake
  INPUT ${PROJECT_BINARY_DIR}/install_manual.cmake.in)
install(SCRIPT ${PROJECT_BINARY_DIR}/install_manual.cmake COMPONENT program)

# -- development
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Lockstep)
function(install_rooms export)
  foreach(room ${ARGN})
    set_target_properties(lockstep_${room} PROPERTIES EXPORT_NAME ${room})
    target_compile_features(lockstep_${room} INTERFACE cxx_std_20)
    target_include_directories(lockstep_${room}
      INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/lockstep>)
    install(DIRECTORY ${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lockstep
      COMPONENT development FILES_MATCHING PATTERN "*.h")
    install(TARGETS lockstep_${room} EXPORT ${export}
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  endforeach()
  install(EXPORT ${export} NAMESPACE lockstep:: DESTINATION ${package} COMPONENT development)
endfunction()
install_rooms(LockstepChecker checker)
install_rooms(LockstepSearch sim lua redis scenario model search)
configure_package_config_file(cmake/LockstepConfig.cmake.in ${PROJECT_BINARY_DIR}/LockstepConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/LockstepConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/LockstepConfig.cmake ${PROJECT_BINARY_DIR}/LockstepConfigVersion.cmake
  DESTINATION ${package} COMPONENT development)
file(RELATIVE_PATH prefix_from_pkgconfig
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(library checker search)
  configure_file(cmake/lockstep-${library}.pc.in lockstep-${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/lockstep-${library}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()

# -- packages: tools/release
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME lockstep)
set(CPACK_PACKAGE_VENDOR "The authors of Lockstep")
set(CPACK_PACKAGE_CONTACT "The authors of Lockstep <lockstep@example.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Finds out whether a Redis lock really locks")
set(CPACK_PACKAGE_FILE_NAME lockstep-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_CMAKE_PROJECTS
  "${PROJECT_BINARY_DIR};lockstep;program;/;${PROJECT_BINARY_DIR};lockstep;brought_along;/")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Of the symbols that program and libraries ask for; tools/release compares.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.35), libstdc++6 (>= 12), libgcc-s1, libexpat1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "redis-server")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "graphviz")
include(CPack)
