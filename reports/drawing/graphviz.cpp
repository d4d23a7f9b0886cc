#include "reports/drawing/graphviz.h"

#include <cgraph.h>
#include <gvc.h>

#include <memory>
#include <stdexcept>

extern "C" {
extern gvplugin_library_t gvplugin_core_LTX_library;  // NOLINT(*-non-const-global-variables)
extern gvplugin_library_t
    gvplugin_neato_layout_LTX_library;  // NOLINT(*-non-const-global-variables)
}

namespace lockstep::reports {
namespace {

struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};
struct FreeContext {
  void operator()(GVC_t* context) const { gvFreeContext(context); }
};
using Graph = std::unique_ptr<Agraph_t, CloseGraph>;
using Context = std::unique_ptr<GVC_t, FreeContext>;

// Graphviz reports errors through a plain function: what it said last, of this thread.
thread_local std::string last_words;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

int remember(char* words) {
  last_words += words;
  return 0;
}

/// Without the plugin for fonts, Graphviz takes text to be as wide as Helvetica everywhere.
Context context_without_fonts() {
  char core_name[] = "gvplugin_core_LTX_library";
  char neato_name[] = "gvplugin_neato_layout_LTX_library";
  lt_symlist_t plugins[] = {{core_name, &gvplugin_core_LTX_library},
                            {neato_name, &gvplugin_neato_layout_LTX_library},
                            {nullptr, nullptr}};
  return Context(gvContextPlugins(plugins, /*demand_loading=*/0));
}

/// The Pango plugin keeps a pointer to the last font's name, which the context owns, and reads it
/// when the next picture is drawn: so this context must live as long as the process.
GVC_t* context_with_fonts() {
  static GVC_t* const context = gvContext();  // NOLINT(*-non-const-global-variables)
  return context;
}

}  // namespace

std::string draw_with_graphviz(const std::string& dot, std::string_view format) {
  last_words.clear();
  agseterr(AGERR);
  agseterrf(&remember);
  const Context own = format == "svg" ? context_without_fonts() : Context();
  GVC_t* const context = own ? own.get() : context_with_fonts();
  const Graph graph(agmemread(dot.c_str()));
  if (!graph) throw std::runtime_error("Graphviz can't read the picture: " + last_words);
  if (gvLayout(context, graph.get(), "nop2") != 0) {
    // A package brings along what SVG needs, and neither fonts nor what draws with them.
    const bool has_plugins = own || last_words.find("not recognized") == std::string::npos;
    if (!has_plugins) {
      throw std::runtime_error("a ." + std::string(format) +
                               " needs Graphviz on this machine (apt-get install graphviz); a "
                               ".svg does not");
    }
    throw std::runtime_error("Graphviz can't lay out the picture: " + last_words);
  }
  char* bytes = nullptr;
  unsigned int length = 0;
  const std::string name(format);
  const bool drawn = gvRenderData(context, graph.get(), name.c_str(), &bytes, &length) == 0;
  std::string result(drawn && bytes != nullptr ? std::string(bytes, length) : std::string());
  if (drawn) gvFreeRenderData(bytes);
  gvFreeLayout(context, graph.get());
  if (result.empty()) {
    throw std::runtime_error("Graphviz can't draw " + name + ": " + last_words);
  }
  return result;
}

}  // namespace lockstep::reports
