// The stream between a master and its replica: what is compared, passed over and handed over, and
// how offsets are translated.
#include "confirm/stream_link.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/resp.h"

namespace lockstep::confirm::test {
namespace {

std::string request(std::initializer_list<std::string_view> words) {
  std::string bytes;
  redis::append_request(std::vector<std::string_view>(words), bytes);
  return bytes;
}

const std::string set_k = request({"SET", "k", "v"});
const std::string del_k = request({"DEL", "k"});
const std::string ask = request({"REPLCONF", "GETACK", "*"});
const std::string ping = request({"PING"});

std::int64_t length(const std::string& bytes) { return static_cast<std::int64_t>(bytes.size()); }

TEST(AStreamLink, HandsOverTheMastersBytesWhenTheSimulatedOnesCome) {
  StreamLink link("+CONTINUE x\r\n", 100, 0);
  link.expect(set_k + del_k);
  link.receive(set_k + del_k);
  EXPECT_FALSE(link.compare());
  EXPECT_EQ(link.equal_requests(), 2U);
  EXPECT_EQ(link.hand_over(set_k), "+CONTINUE x\r\n" + set_k);
  EXPECT_EQ(link.handed_over_offset(), 100 + length(set_k));
  EXPECT_EQ(link.hand_over(del_k), del_k);
  EXPECT_EQ(link.handed_over_offset(), link.received_offset());
}

TEST(AStreamLink, TakesPiecesOfAnySize) {
  StreamLink link("", 0, 0);
  for (const char byte : set_k + del_k) {
    link.receive({&byte, 1});
    link.expect({&byte, 1});
  }
  EXPECT_FALSE(link.compare());
  std::string handed_over;
  for (const char byte : set_k + del_k) handed_over += link.hand_over({&byte, 1});
  EXPECT_EQ(handed_over, set_k + del_k);
}

TEST(AStreamLink, NamesTheFirstRequestThatDiffers) {
  StreamLink link("", 0, 0);
  link.expect(set_k + set_k);
  link.receive(set_k + del_k);
  const auto mismatch = link.compare();
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->simulated, "SET k v");
  EXPECT_EQ(mismatch->real, "DEL k");
}

TEST(AStreamLink, NamesARequestThatOneSideLacks) {
  StreamLink more("", 0, 0);
  more.receive(del_k);
  EXPECT_EQ(more.compare()->simulated, "");
  StreamLink less("", 0, 0);
  less.expect(del_k);
  EXPECT_EQ(less.compare()->real, "");
}

TEST(AStreamLink, PassesOverWhatServersWriteByThemselves) {
  StreamLink link("", 0, 0);
  link.expect(ping + set_k + del_k);
  link.receive(ask + set_k + ping + ask + del_k + ask);
  EXPECT_FALSE(link.compare());
  EXPECT_EQ(link.hand_over(ping + set_k), ask + set_k);
  EXPECT_EQ(link.hand_over(del_k), ping + ask + del_k);
}

TEST(AStreamLink, TranslatesAcknowledgements) {
  StreamLink link("", 1'000, 50);
  link.expect(set_k + del_k);
  link.receive(set_k + ask + del_k);
  EXPECT_FALSE(link.compare());
  EXPECT_EQ(link.acknowledge(50), 1'000);
  EXPECT_EQ(link.acknowledge(50 + length(set_k) - 1), 1'000);
  EXPECT_EQ(link.acknowledge(50 + length(set_k)), 1'000 + length(set_k + ask));
  EXPECT_FALSE(link.acknowledge_housekeeping()) << "DEL is missing";
  EXPECT_EQ(link.acknowledge(50 + length(set_k + del_k)), link.received_offset());
  EXPECT_FALSE(link.acknowledge_housekeeping()) << "nothing is";
}

TEST(AStreamLink, AcknowledgesWhatIsOnlyTheMastersOwn) {
  StreamLink link("", 0, 0);
  link.expect(set_k);
  link.receive(set_k);
  EXPECT_FALSE(link.compare());
  EXPECT_EQ(link.acknowledge(length(set_k)), length(set_k));
  link.receive(ask);
  EXPECT_FALSE(link.compare());
  EXPECT_EQ(link.acknowledge_housekeeping(), length(set_k + ask));
  EXPECT_FALSE(link.acknowledge_housekeeping()) << "once is enough";
}

}  // namespace
}  // namespace lockstep::confirm::test
