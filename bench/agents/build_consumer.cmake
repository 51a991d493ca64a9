# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# cmake -DBUILD=... -DPREFIX=... -DSOURCE=... -DWORK=... -DSETTINGS=... -P build_consumer.cmake
#
# Installs the library from its build tree into PREFIX, and builds the user of it in SOURCE, as any user would. A
# failure is said and does not stop the build: the rows that need it say so too, and miss their bars.
set(ENV{DESTDIR} "")
file(REMOVE ${WORK}/juxta_bench_consumer.so)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    list(JOIN ARGV " " command)
    message(WARNING "The consumer of the installed package is not built: ${command}\n${output}")
    set(done FALSE PARENT_SCOPE)
  endif()
endfunction()

set(done TRUE)
run(${CMAKE_COMMAND} --install ${BUILD} --component library --prefix ${PREFIX})
if(done)
  run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK} -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${PREFIX} ${SETTINGS})
endif()
if(done)
  run(${CMAKE_COMMAND} --build ${WORK})
endif()
