"""Makes the pictures of the HTML report in docs/images: screenshots.py [FOLDER], by hand."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "app"))

from page import Browser  # noqa: E402
from program import REPOSITORY, Program  # noqa: E402


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else REPOSITORY / "docs/images"
    program = Program()
    (program.folder / "scenarios").symlink_to(REPOSITORY / "scenarios")
    scenarios = [f"scenarios/known-bugs/{name}.toml"
                 for name in ("gc-pause", "failover-before-replication", "gc-pause-fenced")]
    program.run("run", *scenarios, "--html", "report.html", "--no-files")
    for dark in (False, True):
        browser = Browser(dark=dark, size=(1280, 1180))
        browser.open(program.folder / "report.html")
        browser.run("document.getElementById('stage').scrollIntoView({ block: 'end' })")
        browser.driver.save_screenshot(str(folder / f"report-{'dark' if dark else 'light'}.png"))
        browser.close()
    program.close()


if __name__ == "__main__":
    main()
