#!/usr/bin/env python3
"""The site of the documentation in headless Chromium, from a disk: links, console, search, light and dark, a phone's width.

usage: test_site.py HTML SCREENSHOTS
"""
import html.parser
import os
import pathlib
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
from browser import Chromium  # noqa: E402

SITE, SHOTS = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
PAGES = ["index.html", "README.html", "docs/ops/elementwise-tile-tile/tpow.html", "docs/rules.html", "docs/api/c/tiles.html", "docs/sync.html"]


class Page(html.parser.HTMLParser):
    """Ids and links of a page, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.nameless = set(), [], [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if values.get("id"):
            self.ids.add(values["id"])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in ("script", "img", "source", "iframe") and values.get("src"):
            self.loads.append(values["src"])
        if tag == "link" and values.get("rel") not in ("canonical", "author", "search", "next", "prev", "index"):
            self.loads.append(values.get("href", ""))
        if tag == "img" and not values.get("alt"):
            self.nameless.append(values.get("src"))


def check_links():
    # rustdoc and javadoc make their pages themselves; links to these are checked.
    pages = {path: Page(path) for path in SITE.rglob("*.html") if not {"_static", "rust", "java"} & set(path.relative_to(SITE).parts[:1])}
    reference = pages[SITE / "docs/reference.html"].links
    assert {"../rust/pto/index.html", "../java/index.html"} <= set(reference), reference
    dead, foreign, nameless, count = [], [], [], 0
    for path, page in pages.items():
        here = path.relative_to(SITE)
        foreign += ["%s loads %s" % (here, link) for link in page.loads if urllib.parse.urlsplit(link).scheme not in ("", "data")]
        nameless += ["%s: image %s has no text" % (here, name) for name in page.nameless]
        for link in page.links + page.loads:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment)
            if not target.is_file() or anchor and target in pages and anchor not in pages[target].ids:
                dead.append("%s: %s" % (here, link))
    assert count > 10000, count
    assert not dead, "dead links:\n" + "\n".join(dead[:30])
    assert not foreign, "not on this disk:\n" + "\n".join(foreign[:30])
    assert not nameless, "\n".join(nameless[:30])
    print("%d pages, %d links, none dead" % (len(pages), count))


def wait_for(browser, script):
    for _ in range(100):
        value = browser.run("return " + script)
        if value:
            return value
        time.sleep(0.1)
    raise AssertionError("never true: " + script)


def keep(browser, name):
    (SHOTS / name).write_bytes(browser.screenshot())


def check_pages(browser):
    for name in PAGES:
        browser.go((SITE / name).as_uri())
        for theme in ("light", "dark"):
            browser.run("document.documentElement.dataset.mode = document.documentElement.dataset.theme = '%s'" % theme)
            ink, paper = browser.run("const style = getComputedStyle(document.querySelector('article p')); return [style.color, getComputedStyle(document.body).backgroundColor]")
            assert ink != paper, (name, theme, ink)
            keep(browser, "%s-%s.png" % (pathlib.PurePath(name).stem, theme))
        unnamed = browser.run("return [...document.querySelectorAll('button, a[href]')].filter((e) => e.offsetParent && !(e.innerText.trim() || "
                              "e.getAttribute('aria-label') || e.title || e.querySelector('img[alt]'))).map((e) => e.outerHTML)")
        assert not unnamed, (name, unnamed)
    print("%d pages open in light and dark" % len(PAGES))


def check_search(browser):
    for word, page in (("tpow", "/docs/ops/elementwise-tile-tile/tpow.html"), ("valid-covers", "/docs/rules.html"), ("pto_tile_create", "/docs/api/c/tiles.html")):
        browser.go((SITE / "search.html").as_uri() + "?q=" + word)
        found = wait_for(browser, "/finished/.test(document.querySelector('.search-summary').innerText) && [...document.querySelectorAll('#search-results li a')].map((a) => a.href)")
        assert any(page in link for link in found), (word, found)
        if word == "tpow":
            keep(browser, "search.png")
    # As a reader does: the button, a word, Enter.
    browser.go((SITE / "index.html").as_uri())
    browser.run("document.querySelector('.search-button, .search-button-field').click()")
    wait_for(browser, "document.querySelector('.search-button__search-container.show, dialog[open]') !== null")
    browser.run("const field = document.querySelector('dialog[open] input[type=search], .search-button__search-container.show input[type=search]'); field.value = 'tpow'; field.form.submit()")
    wait_for(browser, "document.querySelectorAll('#search-results li a').length")
    print("search finds tpow, a rule and a C function")


def check_phone(browser):
    browser.ask("/window/rect", {"width": 500, "height": 860})
    for name in PAGES:
        browser.go((SITE / name).as_uri())
        wide = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, "%s is %d pixels wider than a phone" % (name, wide)
    keep(browser, "phone.png")
    print("nothing is wider than a phone")


def main():
    check_links()
    if not Chromium.there():
        print("no chromedriver: pages were not opened")
        return
    SHOTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        browser = Chromium(folder)
        try:
            check_pages(browser)
            check_search(browser)
            check_phone(browser)
            # The theme logs on the console what it does: only warnings and errors count.
            entries = browser.ask("/se/log", {"type": "browser"})
            assert len(entries) > 0
            errors = [entry["message"] for entry in entries if entry["level"] not in ("INFO", "DEBUG")]
            assert not errors, "\n".join(errors)
            print("no error on the console")
        finally:
            browser.close()


main()
