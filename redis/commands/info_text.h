// The text of INFO: sections of lines "name:value".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "redis/protocol/integer_text.h"

namespace lockstep::redis {

class InfoText {
 public:
  void begin(std::string_view section) {
    if (!text_.empty()) text_ += "\r\n";
    text_ += "# ";
    text_ += section;
    text_ += "\r\n";
  }
  void add(std::string_view name, std::string_view value) {
    text_ += name;
    text_ += ':';
    text_ += value;
    text_ += "\r\n";
  }
  void add(std::string_view name, std::int64_t value) { add(name, IntegerText(value).view()); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class Server;

namespace info_sections {
/// 40 hexadecimal digits, as long as Redis's, which draws all of them at random.
[[nodiscard]] std::string text_of_id(std::uint64_t id);
void write_replication(Server& server, InfoText& info);
void write_persistence(Server& server, InfoText& info);
}  // namespace info_sections

}  // namespace lockstep::redis
