#include "live/preload/process/python_end.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "live/preload/kernel/gate.h"
#include "live/preload/kernel/jump.h"

namespace lockstep::live::preload {

namespace {

// What Py_FinalizeEx does that a program can tell. Its module __main__ may hold any names, so that
// all of this has one only. Own modules are __main__ and those that it names, and so on, unless
// they were installed; what was made last goes first, while the functions that its finalizer calls
// are still there. Looking through all modules would copy their pages.
constexpr const char* end_of_python = R"(
def _lockstep_end():
    import atexit, sys, types
    threading = sys.modules.get("threading")
    if threading:
        threading._shutdown()
    atexit._run_exitfuncs()
    installed = sys.prefix + "/", sys.base_prefix + "/"
    found = [sys.modules["__main__"]]
    for module in found:
        names = vars(module)
        for name in reversed(list(names)):
            value = names[name]
            if isinstance(value, (type, types.FunctionType)):
                value = sys.modules.get(value.__module__)
            elif not isinstance(value, types.ModuleType):
                if not name.startswith("__"):
                    del names[name]
                continue
            file = getattr(value, "__file__", None) or installed[0]
            if value not in found and not file.startswith(installed):
                found.append(value)
    for stream in sys.stdout, sys.stderr:
        if stream and not stream.closed:
            stream.flush()
_lockstep_end()
)";

using RunString = int (*)(const char* code, void* flags);

RunString run_string;
int* is_interrupted;  // none that can be seen from 3.12 on

/// Runs before all functions that libraries have asked for at exit: OpenSSL's frees what it has.
void end_now(int status, void* /*unused*/) {
  fflush(nullptr);
  _exit(status);
}

int end_python_shortly() {
  on_exit(end_now, nullptr);
  const int was_interrupted = is_interrupted == nullptr ? 0 : *is_interrupted;
  const int status = run_string(end_of_python, nullptr);
  if (is_interrupted != nullptr) *is_interrupted = was_interrupted;
  return status;
}

}  // namespace

void shorten_end_of_python() {
  void* const finalize = dlsym(RTLD_DEFAULT, "Py_FinalizeEx");
  run_string = reinterpret_cast<RunString>(dlsym(RTLD_DEFAULT, "PyRun_SimpleStringFlags"));
  is_interrupted = static_cast<int*>(dlsym(RTLD_DEFAULT, "_Py_UnhandledKeyboardInterrupt"));
  if (finalize == nullptr || run_string == nullptr) return;
  constexpr std::uintptr_t page_mask = 4'095;
  const auto address = reinterpret_cast<std::uintptr_t>(finalize);
  const std::uintptr_t begin = address & ~page_mask;
  const std::uintptr_t bytes = address + jump_bytes - begin;
  if (native(SYS_mprotect, begin, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) < 0) return;
  write_jump(static_cast<unsigned char*>(finalize),
             reinterpret_cast<const void*>(&end_python_shortly));
  native(SYS_mprotect, begin, bytes, PROT_READ | PROT_EXEC);
}

}  // namespace lockstep::live::preload
