# find_package(fpmove) and then
#
#     fpmove_pair(TARGET vp.vsh fp.psh [OUTPUT folder] [OPTIONS -O3 -Iinclude ...])
#
# A target that rewrites the pair into `folder` (default: the build folder) whenever one of
# the two files, or a file they include, changed.
include_guard()
get_filename_component(_fpmove_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(FPMOVE_COMMAND fpmove HINTS "${_fpmove_prefix}/bin" REQUIRED)

function(fpmove_pair target vp fp)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "OUTPUT" "OPTIONS")
  if(NOT arg_OUTPUT)
    set(arg_OUTPUT "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  get_filename_component(vp_path "${vp}" ABSOLUTE)
  get_filename_component(fp_path "${fp}" ABSOLUTE)
  get_filename_component(vp_name "${vp}" NAME)
  get_filename_component(fp_name "${fp}" NAME)
  set(outputs "${arg_OUTPUT}/${vp_name}" "${arg_OUTPUT}/${fp_name}")
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND "${FPMOVE_COMMAND}" "${vp_path}" "${fp_path}" -q -o "${arg_OUTPUT}"
            -MF "${arg_OUTPUT}/${fp_name}.d" ${arg_OPTIONS}
    DEPENDS "${vp_path}" "${fp_path}" "${FPMOVE_COMMAND}"
    DEPFILE "${arg_OUTPUT}/${fp_name}.d"
    COMMENT "Moving ${fp_name} to ${vp_name}"
    VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${outputs})
endfunction()
