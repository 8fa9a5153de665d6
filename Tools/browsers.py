"""Chromium and Firefox, each as a class with the same functions.

Both open files without a window, run scripts in them as the page itself does, press keys, and
tell what a page logs and asks for. Chromium is driven by chromedriver, in the WebDriver protocol;
Firefox by marionette_driver, which only the Python of Tools/prepare firefox has.
"""
import base64
import gc
import http.client
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PYTHON = f"{ROOT}/.build/venv/bin/python"

# Runs a script among the scripts of the page: their constants are not properties of the window, and
# the policy of the page forbids to compile a text.
IN_PAGE = """
const { addDebuggerToGlobal } =
  ChromeUtils.importESModule('resource://gre/modules/jsdebugger.sys.mjs');
addDebuggerToGlobal(globalThis);
const inspector = new Debugger();
// Code of the page stays compiled as it is without this.
inspector.allowUnobservedWasm = true;
inspector.allowUnobservedAsmJS = true;
const page = inspector.addDebuggee(window);
try {
  const ended = page.executeInGlobal(`JSON.stringify((() => {${arguments[0]}\\n})())`);
  if (ended === null) throw new Error('the script was ended');
  if ('throw' in ended) throw new Error(ended.throw.unsafeDereference?.() ?? ended.throw);
  return ended.return ?? null;
} finally {
  inspector.removeAllDebuggees();
}
"""
# Collects what pages ask for. The browser's own requests have the principal of the system.
WATCH = """
Services.obs.addObserver({
  observe(subject) {
    const { URI, loadInfo } = subject.QueryInterface(Ci.nsIChannel);
    if (!loadInfo.triggeringPrincipal.isSystemPrincipal) Services.asked.push(URI.spec);
  },
}, 'http-on-opening-request');
Services.asked = [];
"""
# The errors of scripts and of the policy of the page, which begin anew; without advice.
MESSAGES = """
const advice = Ci.nsIScriptError.warningFlag | Ci.nsIScriptError.infoFlag;
const found = Services.console.getMessageArray().filter((message) =>
  message instanceof Ci.nsIScriptError && message.sourceName.startsWith('file:')
    && !(message.flags & advice));
Services.console.reset();
return found.map((message) => message.errorMessage);
"""
# What may be a control, for a user of the page.
CANDIDATES = """
return [...document.querySelectorAll('button, input, select, option, summary, [role], [tabindex]')]
  .filter((found) => found.checkVisibility());
"""


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Chromium:
    """A session of Chromium, by the WebDriver protocol."""

    name = "Chromium"

    def __init__(self, folder):
        self.port = free_port()
        self.process = subprocess.Popen(
            ["chromedriver", f"--port={self.port}", "--log-level=SEVERE"],
            stdout=subprocess.DEVNULL)
        for _ in range(200):
            try:
                if self.ask("GET", "/status")["ready"]:
                    break
            except OSError:
                time.sleep(0.05)
        options = [
            "--headless=new", "--disable-gpu", f"--user-data-dir={folder}/profile",
            "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1800,1200",
        ]
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": {"args": options},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.session = f"/session/{answer['sessionId']}"
        self.version = answer["capabilities"]["browserVersion"]

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, {"Content-Type": "application/json"})
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(value, dict) and "error" in value:
            sys.exit(f"chromium: {value['error']}: {value['message'][:500]}")
        return value

    def tell(self, command, parameters):
        return self.ask("POST", f"{self.session}/goog/cdp/execute", {
            "cmd": command, "params": parameters})

    def log(self, kind):
        return self.ask("POST", f"{self.session}/se/log", {"type": kind})

    def open(self, path):
        """Opens a file, and returns the messages of its scripts and what else it asks for."""
        address = pathlib.Path(path).as_uri()
        self.log("browser"), self.log("performance")
        self.ask("POST", f"{self.session}/url", {"url": address})
        events = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        asked = [
            event["params"]["request"]["url"] for event in events
            if event["method"] == "Network.requestWillBeSent"]
        return self.messages(), [url for url in asked if url != address]

    def messages(self):
        """The messages of scripts since they were last asked for."""
        return [entry["message"] for entry in self.log("browser")]

    def run(self, script):
        """Runs the body of a function in the page, and returns what it returns."""
        return self.ask("POST", f"{self.session}/execute/sync", {"script": script, "args": []})

    def press(self, *keys):
        """Presses keys together."""
        actions = [{"type": "keyDown", "value": key} for key in keys]
        actions += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.ask("POST", f"{self.session}/actions", {"actions": [
            {"type": "key", "id": "keyboard", "actions": actions}]})

    def accessible(self):
        """The role and the name of each node of the accessibility tree."""
        tree = self.tell("Accessibility.getFullAXTree", {})
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in tree["nodes"] if not node["ignored"]]

    def keep_downloads(self, folder):
        self.tell("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})

    def resize(self, width, height):
        self.ask("POST", f"{self.session}/window/rect", {"width": width, "height": height})

    def picture(self):
        """The bytes of a PNG of what is in view."""
        return base64.b64decode(self.ask("GET", f"{self.session}/screenshot"))

    def close(self):
        self.ask("DELETE", self.session)
        self.process.terminate()
        self.process.wait()


class Firefox:
    """A session of Firefox, by marionette_driver."""

    name = "Firefox"

    def __init__(self, folder):
        from marionette_driver.marionette import Marionette

        # A proxy that does not exist, so that nothing leaves this machine.
        nowhere = {f"network.proxy.{kind}": "127.0.0.1" for kind in ("http", "ssl", "socks")}
        nowhere |= {f"network.proxy.{kind}_port": 9 for kind in ("http", "ssl", "socks")}
        self.marionette = Marionette(
            app="fxdesktop", bin="/usr/bin/firefox-esr", port=free_port(), headless=True,
            workspace=folder, gecko_log=f"{folder}/firefox.log", prefs={
                **nowhere, "network.proxy.type": 1, "dom.security.https_first": False,
                "browser.download.folderList": 2, "browser.download.dir": folder,
                "browser.download.alwaysOpenPanel": False,
                "browser.helperApps.neverAsk.saveToDisk": "application/octet-stream"})
        self.marionette.start_session()
        self.version = self.marionette.session_capabilities["browserVersion"]
        self.resize(1800, 1200)
        self.tell(WATCH)

    def tell(self, script, *arguments):
        """Runs a script in the browser itself."""
        with self.marionette.using_context("chrome"):
            return self.marionette.execute_script(script, script_args=arguments)

    def open(self, path):
        """Opens a file, and returns the messages of its scripts and what else it asks for."""
        self.messages()
        self.tell("Services.asked.length = 0;")
        self.marionette.navigate(pathlib.Path(path).as_uri())
        return self.messages(), self.tell("return Services.asked;")

    def messages(self):
        """The messages of scripts since they were last asked for."""
        return self.tell(MESSAGES)

    def run(self, script):
        """Runs the body of a function in the page, and returns what it returns."""
        text = self.marionette.execute_script(IN_PAGE, script_args=[script], sandbox="system")
        return None if text is None else json.loads(text)

    def press(self, *keys):
        """Presses keys together."""
        actions = self.marionette.actions.sequence("key", "keyboard")
        for key in keys:
            actions.key_down(key)
        for key in reversed(keys):
            actions.key_up(key)
        actions.perform()

    def accessible(self):
        """The role and the name of each node of the accessibility tree that may be a control."""
        return [
            (found.computed_role, found.computed_label)
            for found in self.marionette.execute_script(CANDIDATES)]

    def keep_downloads(self, folder):
        self.marionette.set_pref("browser.download.dir", folder)

    def resize(self, width, height):
        self.marionette.set_window_rect(width=width, height=height)

    def picture(self):
        """The bytes of a PNG of what is in view."""
        return base64.b64decode(self.marionette.screenshot(full=False))

    def close(self):
        self.marionette.cleanup()
        # What is left of it cannot be removed after the end of the program.
        self.marionette = None
        gc.collect()


BROWSERS = {"chromium": Chromium, "firefox": Firefox}


def use_packages(name):
    """Goes on in the Python that has the packages of a browser."""
    if name == "firefox" and sys.prefix != os.path.dirname(os.path.dirname(PYTHON)):
        if not os.path.exists(PYTHON):
            sys.exit(f"{os.path.basename(sys.argv[0])}: first Tools/prepare firefox")
        os.execv(PYTHON, [PYTHON, *sys.argv])


def check_planted(browser, folder):
    """Fails unless a browser reports a script that fails, a request to outside, and one that the
    policy of the page forbids."""
    path = f"{folder}/planted.html"
    for page, is_seen in [
        ("<script>missing()</script>", lambda said, asked: any("missing" in text for text in said)),
        ("<img src='http://example.com/x'>",
         lambda said, asked: asked == ["http://example.com/x"]),
        ("<meta http-equiv='Content-Security-Policy' content=\"img-src 'none'\">"
         "<img src='http://example.com/y'>",
         lambda said, asked: any("example.com/y" in text for text in said)),
    ]:
        pathlib.Path(path).write_text(f"<!DOCTYPE html><title>x</title>{page}", encoding="utf-8")
        if not is_seen(*browser.open(path)):
            sys.exit(f"{browser.name}: nothing was reported of the planted page {page}")
