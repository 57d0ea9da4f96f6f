"""Headless Chromium, for tests of pages."""
import base64
import json
import re
import subprocess
import urllib.request


class Browser:
    """Headless Chromium by the protocol of WebDriver."""

    def __init__(self, folder, height=860):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = next(m.group(1) for m in (re.search(r"started successfully on port (\d+)", line) for line in self.driver.stdout) if m)
        self.at = "http://127.0.0.1:%s/session" % port
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,%d" % height, "--user-data-dir=%s/profile" % folder]}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.at += "/" + self.ask("", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def ask(self, path, body=None):
        request = urllib.request.Request(self.at + path, None if body is None else json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def run(self, script):
        return self.ask("/execute/sync", {"script": script, "args": []})

    def complaints(self):
        """What the console has said since the last call, errors and all else."""
        return [entry["message"] for entry in self.ask("/se/log", {"type": "browser"})]

    def screenshot(self):
        return base64.b64decode(self.ask("/screenshot"))

    def close(self):
        urllib.request.urlopen(urllib.request.Request(self.at, method="DELETE"), timeout=60)
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()
