#include "reports/trace/line_reader.h"

#include <fmt/format.h>

#include <streambuf>

namespace lockstep::reports {

bool LineReader::next() {
  line_.clear();
  ++number_;
  try {
    return read();
  } catch (const std::ios_base::failure&) {  // a folder, a broken disk
    fail("it can't be read");
  }
}

bool LineReader::read() {
  using Traits = std::char_traits<char>;
  std::streambuf& bytes = *in_.rdbuf();
  for (;;) {
    const int byte = bytes.sbumpc();
    if (byte == Traits::eof()) {
      if (!line_.empty()) break;
      --number_;
      return false;
    }
    if (++bytes_ > limits_.bytes_max) {
      fail(fmt::format("the file is larger than {} bytes", limits_.bytes_max));
    }
    if (byte == '\n') break;
    if (line_.size() == limits_.line_bytes_max) {
      fail(fmt::format("the line is longer than {} bytes", limits_.line_bytes_max));
    }
    line_ += static_cast<char>(byte);
  }
  if (line_.ends_with('\r')) line_.pop_back();
  return true;
}

void LineReader::fail(const std::string& message) const {
  throw scenario::InputError::about(path_, message, number_);
}

}  // namespace lockstep::reports
