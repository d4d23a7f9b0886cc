#include <array>
#include <ostream>

#include "reports/drawing/graphviz.h"
#include "reports/drawing/picture_dot.h"
#include "reports/drawing/svg_postprocess.h"
#include "reports/timeline/timeline.h"

namespace lockstep::reports {

std::optional<PictureFormat> picture_format_from(std::string_view extension) {
  constexpr std::array<std::pair<std::string_view, PictureFormat>, 4> formats{
      {{"svg", PictureFormat::svg},
       {"png", PictureFormat::png},
       {"pdf", PictureFormat::pdf},
       {"dot", PictureFormat::dot}}};
  for (const auto& [name, format] : formats) {
    if (name == extension) return format;
  }
  return std::nullopt;
}

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
