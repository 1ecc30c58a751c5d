"""Drives one headless Chromium by the pipe of its DevTools protocol: real keys, widths, colour schemes."""
import json, os, subprocess, sys

KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38}
results = {"wrong": 0}


def check(name, good, seen=""):
    results["wrong"] += not good
    print(("ok - " if good else "not ok - ") + name + ("" if good else " # " + " ".join(str(seen).split())), flush=True)


def done(browser):
    browser.ask("Browser.close")
    browser.process.wait(60)
    sys.exit(results["wrong"] > 0)


class Browser:
    def __init__(self, profile):
        to_child, self_write = os.pipe()
        self_read, from_child = os.pipe()
        # The browser reads descriptor 3 and writes 4; the shell redirects them from the numbers they have here.
        script = f'exec "$0" "$@" 3<&{to_child} 4>&{from_child}'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "chromium-headless-shell", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--user-data-dir=" + profile], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            pass_fds=(to_child, from_child), env={**os.environ, "HOME": profile})
        os.close(to_child)
        os.close(from_child)
        self.send, self.read = os.fdopen(self_write, "wb"), os.fdopen(self_read, "rb")
        self.asked, self.rest, self.events = 0, b"", []

    def receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.read.fileno(), 1 << 20)
            if not more:
                print("not ok - Chromium ended")
                sys.exit(1)
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, session=None, **parameters):
        self.asked += 1
        order = {"id": self.asked, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        self.send.write(json.dumps(order).encode() + b"\0")
        self.send.flush()
        while True:
            answer = self.receive()
            if answer.get("id") == self.asked:
                return answer.get("result", answer)
            self.events.append(answer)

    def page(self, path, **how):
        return Page(self, path, **how)


class Page:
    def __init__(self, browser, path, width=1440, height=900, dark=False, hash="", before=""):
        self.browser = browser
        target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Runtime.enable")
        self.media(dark)
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        if before:
            self.ask("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.go("file://" + os.path.abspath(path) + hash)

    def ask(self, method, **parameters):
        return self.browser.ask(method, self.session, **parameters)

    def media(self, dark, calm=True, kind=""):
        self.ask("Emulation.setEmulatedMedia", media=kind, features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"}])

    def go(self, url):
        self.browser.events.clear()
        self.ask("Page.navigate", url=url)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.browser.events):
            self.browser.events.append(self.browser.receive())

    def js(self, expression):
        """Returns the value of an expression; waits for a promise."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            return "error: " + answer["exceptionDetails"].get("exception", {}).get("description", "?")
        return answer.get("result", {}).get("value")

    def settle(self):
        """Waits for two frames, so that layout, scrolling and handlers are done."""
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def key(self, name, shift=False):
        more = {"text": "\r"} if name == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=KEYS[name],
                     modifiers=8 * shift, **(more if kind == "keyDown" else {}))
        self.settle()

    def click(self, selector):
        self.js(f"document.querySelector({json.dumps(selector)}).click()")
        self.settle()

    def type(self, text):
        self.ask("Input.insertText", text=text)
        self.settle()

    def picture(self, path):
        import base64
        data = self.ask("Page.captureScreenshot", captureBeyondViewport=False)["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))

    def errors(self):
        return [e["params"]["exceptionDetails"]["text"] for e in self.browser.events if e.get("method") == "Runtime.exceptionThrown"]

    def close(self):
        self.browser.ask("Target.closeTarget", targetId=self.target)
