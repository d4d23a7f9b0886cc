#include "redis/commands/unsupported_commands.h"

#include <algorithm>
#include <array>

namespace lockstep::redis {
namespace {

constexpr std::array<UnsupportedCommands, 15> refused{{
    {"streams are no part of a lock",
     "xack xadd xautoclaim xclaim xdel xgroup xinfo xlen xpending xrange xread xreadgroup "
     "xrevrange xsetid xtrim"},
    {"geography is no part of a lock",
     "geoadd geodist geohash geopos georadius georadius_ro georadiusbymember "
     "georadiusbymember_ro geosearch geosearchstore"},
    {"bitmaps are no part of a lock", "bitcount bitfield bitfield_ro bitop bitpos getbit setbit"},
    {"counting by estimates is no part of a lock", "pfadd pfcount pfdebug pfmerge pfselftest"},
    {"there is one user, without a password", "acl"},
    {"there are no modules", "module"},
    {"no slot of a cluster moves but by a failover",
     "restore-asking cluster|addslots cluster|addslotsrange cluster|bumpepoch "
     "cluster|count-failure-reports cluster|delslots cluster|delslotsrange cluster|flushslots "
     "cluster|forget cluster|getkeysinslot cluster|help cluster|links cluster|meet "
     "cluster|replicate cluster|reset cluster|saveconfig cluster|set-config-epoch "
     "cluster|setslot cluster|slaves"},
    {"no caching by clients", "client|caching client|tracking client|trackinginfo"},
    {"clients are not made to wait by others", "client|pause client|unpause"},
    {"values are not serialised", "dump migrate restore"},
    {"its order is that of another language's comparison", "sort sort_ro"},
    {"not needed by any lock known",
     "copy getrange hincrbyfloat hrandfield hscan incrbyfloat lcs move object randomkey rename "
     "renamenx scan setrange substr swapdb touch"},
    {"nobody looks into the server's process",
     "command|getkeysandflags latency lolwut memory script|debug "
     "slowlog"},
    {"snapshots are taken as the configuration says", "bgrewriteaof bgsave lastsave save"},
    {"replication does not run over clients' connections", "failover psync replconf sync"},
}};

bool lists(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t blank = std::min(names.find(' '), names.size());
    if (names.substr(0, blank) == name) return true;
    names.remove_prefix(std::min(blank + 1, names.size()));
  }
  return false;
}

}  // namespace

std::span<const UnsupportedCommands> unsupported_commands() { return refused; }

std::string_view reason_unsupported(std::string_view name) {
  const std::string_view parent = name.substr(0, name.find('|'));
  for (const UnsupportedCommands& each : refused) {
    if (lists(each.names, name) || lists(each.names, parent)) return each.reason;
  }
  return {};
}

}  // namespace lockstep::redis
