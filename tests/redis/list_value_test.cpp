// A list's ring against a plain deque.
#include "redis/values/list_value.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace lockstep::redis {
namespace {

using Items = std::deque<std::string>;

std::size_t remove(Items& items, const std::string& item, std::size_t count_max, ListEnd end) {
  if (end == ListEnd::right) std::reverse(items.begin(), items.end());
  std::size_t removed = 0;
  for (auto each = items.begin(); each != items.end();) {
    const bool is_removed = *each == item && removed < count_max;
    each = is_removed ? items.erase(each) : each + 1;
    removed += is_removed ? 1U : 0U;
  }
  if (end == ListEnd::right) std::reverse(items.begin(), items.end());
  return removed;
}

/// One change, drawn by two numbers, of both.
void change(ListValue& list, Items& items, std::uint8_t kind, std::uint8_t number) {
  const std::string item(number % 3 == 0 ? 2000 : 2, static_cast<char>('a' + number % 5));
  const std::size_t place = items.empty() ? 0 : number % items.size();
  const ListEnd end = number % 2 == 0 ? ListEnd::left : ListEnd::right;
  if (kind <= 2) {
    list.push(end, item);
    end == ListEnd::left ? items.push_front(item) : items.push_back(item);
  } else if (kind == 3) {
    list.drop(end, place);
    end == ListEnd::left
        ? items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(place))
        : items.erase(items.end() - static_cast<std::ptrdiff_t>(place), items.end());
  } else if (kind == 4) {
    list.insert(place, item);
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(place), item);
  } else if (kind == 5 && !items.empty()) {
    list.erase(place);
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
  } else if (kind == 6 && !items.empty()) {
    list.set(place, item);
    items[place] = item;
  } else if (kind == 7) {
    RC_ASSERT(list.remove(item, number % 4, end) == remove(items, item, number % 4, end));
  } else if (kind == 8 && number < 30) {
    list.clear();
    items.clear();
  }
}

RC_GTEST_PROP(ListValueTest, HoldsWhatADequeWouldHold, ()) {
  const auto numbers =
      *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::inRange<std::uint8_t>(0, 250));
  ListValue list;
  Items items;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
    change(list, items, numbers[i] % 9, numbers[i + 1]);
    RC_ASSERT(list.size() == items.size());
    for (std::size_t at = 0; at < items.size(); ++at) RC_ASSERT(list[at] == items[at]);
    RC_ASSERT(list == ListValue(list));
  }
}

TEST(ListValueTest, IsEqualByItemsWhereverTheRingBegins) {
  ListValue a;
  ListValue b;
  for (const char* item : {"x", "1", "2", "3"}) a.push_back(item);
  a.drop_front();
  for (const char* item : {"1", "2", "3"}) b.push_back(item);
  EXPECT_EQ(a, b);
  b.set(1, "4");
  EXPECT_FALSE(a == b);
  b.drop_back(2);
  EXPECT_FALSE(a == b);
}

}  // namespace
}  // namespace lockstep::redis
