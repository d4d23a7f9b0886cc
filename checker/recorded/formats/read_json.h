// Reads the events of a history in JSON Lines: an object on each line. docs/check.md has the
// format.
#pragma once

#include <string>

#include "checker/recorded/formats/byte_source.h"
#include "checker/recorded/formats/event.h"

namespace lockstep::checker::recorded {

class JsonEvents {
 public:
  /// The source must outlive it.
  explicit JsonEvents(ByteSource& source) : source_(source) {}

  /// Fills the event with the next line that isn't blank; false at the end. Throws ReadError.
  bool next(Event& event);

 private:
  void skip_blanks();
  void expect(char c, std::string_view what);
  void take_member(Event& event);
  void take_value(Value& value);
  void take_nested(std::string* kept, std::size_t depth);
  void take_array(std::string* kept, std::size_t depth);
  void take_object(std::string* kept, std::size_t depth);
  std::string_view take_word();
  void take_number(std::string& kept);

  ByteSource& source_;
  std::string name_;
  std::string token_;
  FilePlace value_begins_at_;
};

}  // namespace lockstep::checker::recorded
