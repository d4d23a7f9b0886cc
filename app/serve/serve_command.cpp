#include "app/serve/serve_command.h"

#include <ostream>

#include "serve/start_error.h"

namespace lockstep::app {

ExitCode serve(const ServeArguments& arguments, const Context& context) {
  try {
    serve::Service service(arguments.options);
    context.output << service.where() << std::endl;  // whoever waits for this line must get it now
    service.run();
    return ExitCode::as_expected;
  } catch (const serve::StartError& error) {
    print_error(context, error.what());
    return ExitCode::bad_input;
  }
}

}  // namespace lockstep::app
