# Installs the packages of FOLDER/package-lock.json, unless that has been done since it changed:
#   cmake -DNPM=npm -DFOLDER=… -P install_packages.cmake
set(stamp node_modules/.package-lock.json)
if(EXISTS ${FOLDER}/${stamp} AND NOT
   ${FOLDER}/package-lock.json IS_NEWER_THAN ${FOLDER}/${stamp})
  return()
endif()
execute_process(COMMAND ${NPM} ci --no-audit --no-fund
  WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
