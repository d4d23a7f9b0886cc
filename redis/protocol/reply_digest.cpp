// A reply, as a part of a state.
#include <string_view>

#include "redis/protocol/reply.h"
#include "sim/digest.h"

namespace lockstep::redis {

void Reply::digest_into(sim::Digest& digest) const {
  digest.add(kind);
  switch (kind) {
    case Kind::null_bulk:
    case Kind::null_array:
    case Kind::null:
      return;
    case Kind::integer:
    case Kind::boolean:
      return digest.add(integer);
    case Kind::bulk:
    case Kind::status:
    case Kind::error:
    case Kind::real:
    case Kind::big_number:
    case Kind::verbatim:
      return digest.add(std::string_view(text));
    case Kind::array:
    case Kind::map:
    case Kind::set:
    case Kind::push:
      digest.add(elements.size());
      for (const Reply& element : elements) element.digest_into(digest);
      return;
  }
}

}  // namespace lockstep::redis
