"""page.py HTML: checks that each link of the page leads to one place in it, and that nothing is fetched from elsewhere."""
import sys
from html.parser import HTMLParser


EMPTY = ("meta", "br", "hr", "img", "link", "col")


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links, self.open = [], [], []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src"):
                self.links.append(value)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in EMPTY:
            return
        if not self.open or self.open.pop() != tag:
            sys.exit(f"</{tag}> at {self.getpos()} ends nothing")


page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
bad = [link for link in page.links if link[1:] not in page.ids or link[0] != "#"]
twice = sorted({i for i in page.ids if page.ids.count(i) > 1})
if bad or twice or page.open or len(page.links) < 100:
    sys.exit(f"leads nowhere: {bad}; twice: {twice}; open: {page.open}; {len(page.links)} links")
