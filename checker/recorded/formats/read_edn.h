// Reads the events of a history in EDN, as Jepsen stores it: maps one after the other, or vectors
// or lists of them. Tags, such as those of records, are passed over.
//
// Not covered: metadata (^), numbers other than decimal, and a regular expression as a value.
#pragma once

#include <string>

#include "checker/recorded/formats/byte_source.h"
#include "checker/recorded/formats/event.h"

namespace lockstep::checker::recorded {

class EdnEvents {
 public:
  /// The source must outlive it.
  explicit EdnEvents(ByteSource& source) : source_(source) {}

  /// Fills the event with the next map; false at the end. Throws ReadError.
  bool next(Event& event);
  /// Fills it with the value that comes next, if there is one.
  void take_only_value(Value& value);

 private:
  [[nodiscard]] int peek_form();
  void skip_comment();
  [[nodiscard]] bool skip_discarded(std::size_t depth);
  void take_event(Event& event);
  void take_name();
  void take_value(Value& value);
  void take_nested(std::string* kept, std::size_t depth);
  void take_collection(std::string* kept, std::size_t depth, std::string_view opening,
                       char closing);
  void take_character(std::string& kept);
  void take_token(std::string& kept);
  void take_atom(Value& value);

  ByteSource& source_;
  std::string name_;
  Value atom_;
  FilePlace value_begins_at_;
  int sequence_closing_ = 0;  // of the vector or list that the events are in; 0: none
  FilePlace sequence_begins_at_;
};

}  // namespace lockstep::checker::recorded
