// Writing a timeline as a picture, in the format that the file's name asks for.
#pragma once

#include <cstdint>
#include <filesystem>

namespace lockstep::reports {
struct Timeline;
enum class PictureFormat : std::uint8_t;
}  // namespace lockstep::reports

namespace lockstep::app {

/// What a command can write: Graphviz's formats, or also the other forms of a timeline.
enum class PictureFormats : std::uint8_t { drawn, of_timelines };

/// The format by the file's extension. Throws scenario::InputError if it is not a drawn picture's;
/// the message names the extensions of `formats`.
[[nodiscard]] reports::PictureFormat picture_format_of(const std::filesystem::path& path,
                                                       PictureFormats formats);

/// Throws scenario::InputError if it can't be drawn or written.
void write_picture(const std::filesystem::path& path, const reports::Timeline& timeline,
                   reports::PictureFormat format);

}  // namespace lockstep::app
