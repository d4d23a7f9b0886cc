"""An HTML report in headless Chromium: opened from its file, driven by keys and clicks."""

import json
import shutil

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

KEYS = {"right": Keys.ARROW_RIGHT, "left": Keys.ARROW_LEFT, "up": Keys.ARROW_UP,
        "down": Keys.ARROW_DOWN, "home": Keys.HOME, "end": Keys.END, "escape": Keys.ESCAPE}


class Browser:
    """One Chromium; close() ends it."""

    def __init__(self, *, dark=False, size=(1500, 1100)):
        options = Options()
        options.binary_location = shutil.which("chromium") or shutil.which("chromium-browser") or ""
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--no-first-run", "--disable-background-networking", "--hide-scrollbars",
                     f"--window-size={size[0]},{size[1]}"):
            options.add_argument(word)
        if dark:
            options.add_argument("--force-dark-mode")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        if dark:
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": "dark"}]})

    def close(self):
        self.driver.quit()

    def open(self, path):
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(path.resolve().as_uri())

    def complaints(self):
        """What the console says since open()."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """The addresses that were asked for since open()."""
        messages = [json.loads(entry["message"])["message"]
                    for entry in self.driver.get_log("performance")]
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]

    def press(self, *keys):
        body = self.driver.switch_to.active_element
        for key in keys:
            body.send_keys(KEYS.get(key, key))
            body = self.driver.switch_to.active_element

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def click(self, selector):
        self.find(selector).click()

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def event(self):
        """The number of the event where one stands."""
        return int(self.text("#place").split()[1])
