#include <ostream>

#include "reports/drawing/graphviz.h"
#include "reports/drawing/picture_dot.h"
#include "reports/drawing/svg_postprocess.h"
#include "reports/timeline/timeline.h"

namespace lockstep::reports {

std::string render_dot(const Timeline& timeline) { return dot_of(timeline.picture); }

void render(const Timeline& timeline, PictureFormat format, std::ostream& out) {
  const std::string dot = render_dot(timeline);
  switch (format) {
    case PictureFormat::dot:
      out << dot;
      return;
    case PictureFormat::svg:
      out << postprocessed_svg(draw_with_graphviz(dot, "svg"), timeline.picture.title,
                               timeline.description);
      return;
    case PictureFormat::png:
      out << draw_with_graphviz(dot, "png");
      return;
    case PictureFormat::pdf:
      out << draw_with_graphviz(dot, "pdf");
      return;
  }
}

}  // namespace lockstep::reports
