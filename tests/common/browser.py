"""Headless browsers, for tests of pages: Chromium by the protocol of WebDriver, Firefox by its own, Marionette, which
needs no driver."""
import base64
import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request


class Chromium:
    @staticmethod
    def there():
        return shutil.which("chromedriver") is not None

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

    def go(self, url):
        self.ask("/url", {"url": url})

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


class Firefox:
    @staticmethod
    def there():
        return Firefox.program() is not None

    @staticmethod
    def program():
        return shutil.which("firefox-esr") or shutil.which("firefox")

    def __init__(self, folder, height=860):
        profile = os.path.join(folder, "firefox")
        os.mkdir(profile)
        with open(os.path.join(profile, "user.js"), "w") as prefs:
            # Its own scripts print to the same console, about servers that they do not reach: experiments never ask.
            for name, value in (("marionette.port", "0"), ("devtools.console.stdout.content", "true"),
                                ("devtools.console.stdout.chrome", "false"), ("app.normandy.enabled", "false"),
                                ("messaging-system.rsexperimentloader.enabled", "false")):
                prefs.write('user_pref("%s", %s);\n' % (name, value))
        self.console = open(os.path.join(folder, "firefox.console"), "w+b")
        # Errors of scripts are asked of the browser itself, not of a page.
        self.browser = subprocess.Popen(
            [self.program(), "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile],
            env={**os.environ, "HOME": folder, "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": str(height)},
            stdout=self.console.fileno(), stderr=subprocess.DEVNULL)
        self.asked = self.heard = 0
        said = os.path.join(profile, "MarionetteActivePort")
        ends = time.monotonic() + 120
        while not os.path.exists(said) or os.path.getsize(said) == 0:
            if self.browser.poll() is not None or time.monotonic() > ends:
                self.browser.kill()
                raise RuntimeError("firefox opened no port")
            time.sleep(0.1)
        with open(said) as port:
            self.socket = socket.create_connection(("127.0.0.1", int(port.read())), timeout=120)
        self.answers = self.socket.makefile("rb")
        self.answer()
        self.ask("WebDriver:NewSession", capabilities={"alwaysMatch": {}})
        self.complaints()  # of starting

    def answer(self):
        length = b""
        while (digit := self.answers.read(1)) != b":":
            length += digit
        return json.loads(self.answers.read(int(length)))

    def ask(self, command, **arguments):
        self.asked += 1
        message = json.dumps([0, self.asked, command, arguments]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, number, error, value = self.answer()
        assert (number, error) == (self.asked, None), (command, error)
        return value.get("value") if value else None

    def go(self, url):
        self.ask("WebDriver:Navigate", url=url)

    def run(self, script):
        return self.ask("WebDriver:ExecuteScript", script=script, args=[])

    def complaints(self):
        """What the console has said of pages since the last call, errors and all else."""
        self.ask("Marionette:SetContext", value="chrome")
        said = self.run("""
            const errors = Services.console.getMessageArray().filter((m) => m instanceof Ci.nsIScriptError);
            Services.console.reset();
            return errors.filter((e) => /^(file|data|https?):/.test(e.sourceName)).map((e) => e.errorMessage);""")
        self.ask("Marionette:SetContext", value="content")
        # The browser writes at the end of the file, wherever this reads.
        fresh = os.pread(self.console.fileno(), 1 << 20, self.heard)
        self.heard += len(fresh)
        # Firefox's own modules begin with their name ("console.error: RSLoader: "), messages of pages with a quotation mark.
        return said + [line for line in fresh.decode().splitlines() if re.match(r"console\.\w+: (?!\w+: )", line)]

    def screenshot(self):
        return base64.b64decode(self.ask("WebDriver:TakeScreenshot", full=False))

    def close(self):
        self.ask("Marionette:Quit", flags=["eForceQuit"])
        self.answers.close()
        self.socket.close()
        self.browser.wait(60)
        self.console.close()
