"""Every member of what is simulated is in the digest of its state, or it is said why not."""

import tempfile
import unittest
from pathlib import Path

import digest_members

REPOSITORY = Path(__file__).resolve().parents[2]

HEADER = """
class Clock {
 public:
  explicit Clock(int at) : at_(at) {}
  [[nodiscard]] int now() const { return at_; }
  struct Hand {
    int angle = 0;  ///< in degrees
    std::vector<std::pair<int, int>> marks;
  };

 private:
  void tick();
  const Wheel& wheel_;
  static constexpr int hours = 12;
  int at_ = 0;
  std::optional<Spring> spring_{};
  Wheel* next_ = nullptr;
};
"""


class TheRepository(unittest.TestCase):
    def test_forgets_no_member(self):
        self.assertEqual(list(digest_members.complaints(REPOSITORY)), [])


class TheRule(unittest.TestCase):
    def test_finds_members(self):
        self.assertEqual(digest_members.members(HEADER, "Clock"), ["at_", "spring_", "next_"])
        self.assertEqual(digest_members.members(HEADER, "Clock::Hand"), ["angle", "marks"])
        self.assertIsNone(digest_members.members(HEADER, "Watch"))

    def test_complains_of_a_member_that_is_forgotten(self):
        with tempfile.TemporaryDirectory() as folder:
            house = Path(folder)
            (house / "clock.h").write_text(HEADER, encoding="utf-8")
            (house / "clock_digest.cpp").write_text(
                "digest.add(at_);\n// Not state: next_ (never changes)\n", encoding="utf-8")
            said = list(digest_members.complaints(
                house, (("clock.h", "Clock", "clock_digest.cpp"),
                        ("clock.h", "Watch", "clock_digest.cpp"))))
        self.assertEqual(len(said), 2)
        self.assertIn("Clock::spring_", said[0])
        self.assertIn("Watch", said[1])


if __name__ == "__main__":
    unittest.main()
