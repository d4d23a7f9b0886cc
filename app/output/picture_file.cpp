#include "app/output/picture_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "app/output/output_file.h"
#include "reports/timeline/timeline.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"

namespace lockstep::app {

reports::PictureFormat picture_format_of(const std::filesystem::path& path,
                                         PictureFormats formats) {
  const std::vector<std::string_view> extensions =
      formats == PictureFormats::drawn
          ? std::vector<std::string_view>{"svg", "png", "pdf", "dot"}
          : std::vector<std::string_view>{"svg", "png",  "pdf",  "dot",
                                          "mmd", "puml", "json", "html"};
  const std::string extension = path.extension().string();
  const std::string_view word = std::string_view(extension).substr(extension.empty() ? 0 : 1);
  if (const auto format = reports::picture_format_from(word)) return *format;
  throw scenario::InputError::about(
      path.string(),
      fmt::format("cannot draw {}; expected a name that ends in .{}{}",
                  word.empty() ? "without an extension" : scenario::in_quotes(word),
                  fmt::join(extensions, ", ."), scenario::did_you_mean(word, extensions)));
}

void write_picture(const std::filesystem::path& path, const reports::Timeline& timeline,
                   reports::PictureFormat format) {
  write_file(path, [&](std::ostream& stream) {
    try {
      reports::render(timeline, format, stream);
    } catch (const std::runtime_error& error) {
      throw scenario::InputError::about(path.string(),
                                        fmt::format("cannot draw it: {}", error.what()));
    }
  });
}

}  // namespace lockstep::app
