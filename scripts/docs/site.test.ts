import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { generators } from "../generators/all.ts";
import { pages } from "./navigation.ts";
import { type SearchEntry, search } from "./search.ts";
import { buildSite, type Site } from "./site.ts";
import { synonyms } from "./synonyms.ts";

const root = path.resolve(import.meta.dirname, "../..");

function readPage(site: Site, name: string): string {
  const content = site.files.get(name);
  assert.ok(content !== undefined, `there is no ${name}`);
  return typeof content === "string" ? content : new TextDecoder().decode(content);
}

describe("the guide", () => {
  let site: Site;
  let html: readonly (readonly [name: string, text: string])[];
  before(async () => {
    site = await buildSite(root);
    html = [...site.files.keys()]
      .filter((name) => name.endsWith(".html"))
      .map((name) => [name, readPage(site, name)] as const);
  });

  it("has a page for every document, and no broken link or anchor", () => {
    assert.deepEqual(site.problems, []);
    assert.deepEqual(
      html.map(([name]) => name),
      pages.map(({ slug }) => `${slug}.html`),
    );
  });

  it("has a file and an element for every relative address", () => {
    let followed = 0;
    for (const [name, text] of html) {
      for (const [, href = ""] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^(?:https?:|mailto:|data:)/.test(href) || href === "../docs") continue;
        const [file = "", anchor] = href.split("#");
        const target = readPage(site, file === "" ? name : file);
        const isThere = anchor === undefined || target.includes(`id="${anchor}"`);
        assert.ok(isThere, `${name}: ${href}`);
        followed += 1;
      }
    }
    assert.ok(followed > 500);
  });

  it("loads nothing from another host and has no inline script or style", () => {
    for (const [name, text] of html) {
      assert.doesNotMatch(
        text,
        /<(?:link|img|script|iframe|source)\b[^>]*="(?:https?:)?\/\//i,
        name,
      );
      assert.doesNotMatch(text, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+="/i, name);
    }
    for (const name of ["guide.css", "guide.js", "menu.js"]) {
      assert.doesNotMatch(readPage(site, name), /https?:\/\/|innerHTML|eval\(/, name);
    }
  });

  it("gives every page one title, its navigation and a language", () => {
    for (const [name, text] of html) {
      assert.equal([...text.matchAll(/<h1\b/g)].length, 1, name);
      assert.equal([...text.matchAll(/aria-current="page"/g)].length, 1, name);
      assert.match(text, /<html lang="en">/, name);
      const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      assert.deepEqual(ids, [...new Set(ids)], `${name} has an id twice`);
    }
  });

  it("finds words, codes and variables where they are explained", () => {
    const index: readonly SearchEntry[] = JSON.parse(readPage(site, "search.json"));
    const first = (typed: string) => search(index, typed)[0]?.entry.url;
    assert.match(first("certificate_failed") ?? "", /certificate_failed/);
    assert.equal(first("RECHECK_INTERVAL"), "configuration.html#recheck_interval");
    assert.equal(first("restore"), "operations.html#restore");
    assert.equal(first("verifying a delivery"), "webhooks.html#verifying-a-delivery");
    assert.equal(first("propag"), search(index, "PROPAG")[0]?.entry.url);
    assert.equal(first("zyzzyva"), undefined);
  });

  it("finds what people type where the guide calls it otherwise", () => {
    const index: readonly SearchEntry[] = JSON.parse(readPage(site, "search.json"));
    const top = (typed: string) =>
      search(index, typed)
        .slice(0, 3)
        .map(({ entry }) => entry.url);
    const expected = {
      CORS: "widget.html#which-pages-may-show-it-cors",
      "cors error": "troubleshooting.html#one-cause-several-codes",
      429: "troubleshooting.html#rate_limited",
      409: "troubleshooting.html#hostnameconflict",
      503: "troubleshooting.html#unavailable",
      timeout: "troubleshooting.html#dns_timeout",
      timeouts: "webhooks.html#timeout",
      "gateway timeout": "edge.html#first_byte_timeout_s",
      "DNS propagation": "concepts.html#propagating",
      "naked domain": "troubleshooting.html#apex_needs_alias",
      CSP: "widget.html#content-security-policy",
      SSO: "configuration.html#oidc_issuer",
      k8s: "self-hosting.html#with-kubernetes",
      "secret rotation": "webhooks.html#rotating-the-secret",
    };
    for (const [typed, url] of Object.entries(expected)) {
      assert.ok(top(typed).includes(url), `${typed}: ${top(typed).join(", ")}`);
    }
    for (const [word, others] of Object.entries(synonyms)) {
      for (const other of others) {
        assert.ok(
          search(index, other).length > 0,
          `nothing for ${other}, which ${word} stands for`,
        );
      }
    }
  });

  it("includes sections of other documents unchanged", () => {
    const readme = readFileSync(path.join(root, "packages/widget/README.md"), "utf8");
    assert.ok(readme.includes("| `getToken` |"));
    assert.match(
      readPage(site, "widget.html"),
      /<tr id="gettoken"><td[^>]*><code>getToken<\/code>/,
    );
    assert.match(readPage(site, "quick-start.html"), /id="a-short-tour"/);
  });

  it("explains what to do about every alert", () => {
    const rules = readFileSync(path.join(root, "deploy/prometheus/alerts.yaml"), "utf8");
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
    const operations = readPage(site, "operations.html");
    assert.ok(alerts.length > 5);
    for (const alert of alerts)
      assert.ok(operations.includes(`id="${alert.toLowerCase()}"`), alert);
    const headings = [...operations.matchAll(/<h3 id="(mooring\w+)"/g)].map(([, id]) => id);
    assert.deepEqual(
      headings,
      alerts.map((alert) => alert.toLowerCase()),
    );
  });
});

describe("generated documents", () => {
  for (const { file, make } of generators.filter((one) => one.file.startsWith("docs/"))) {
    it(`(${file}) matches the code`, async () => {
      assert.equal(readFileSync(path.join(root, file), "utf8"), await make());
    });
  }
});

describe("a guide with a mistake in it", () => {
  const copy = mkdtempSync(path.join(tmpdir(), "mooring-guide-"));
  before(() => {
    const readmes = ["bench", "packages/sdk", "packages/widget"].map((part) => `${part}/README.md`);
    const parts = ["docs", "deploy", "examples", ...readmes];
    const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];
    for (const part of [...parts, ...documents]) {
      cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
    }
  });
  after(() => rmSync(copy, { recursive: true }));

  async function problemsWith(addition: string): Promise<readonly string[]> {
    const file = path.join(copy, "docs/email.md");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, `${text}\n${addition}\n`);
    const { problems } = await buildSite(copy);
    writeFileSync(file, text);
    return problems;
  }

  for (const [mistake, addition, problem] of [
    ["a link to nowhere", "[x](missing.md)", "docs/email.md: the link missing.md leads nowhere"],
    ["an anchor to nowhere", "[x](edge.md#missing)", "docs/email.md: edge has no heading #missing"],
    [
      "an anchor of the same page to nowhere",
      "[x](#missing)",
      "docs/email.md: email has no heading #missing",
    ],
    ["a missing picture", "![x](missing.png)", "docs/email.md: there is no picture missing.png"],
    [
      "a picture on another host",
      "![x](https://example.com/a.png)",
      "docs/email.md: the picture https://example.com/a.png is on another host",
    ],
    ["HTML", "<b onclick=x>y</b>", "docs/email.md: HTML in a page: <b onclick=x>"],
    [
      "a missing section",
      "<!-- include ../README.md#missing -->",
      "docs/email.md: README.md has no section missing",
    ],
  ] as const) {
    it(`names ${mistake}`, async () => {
      const problems = await problemsWith(addition);
      assert.ok(problems.includes(problem), problems.join("\n"));
    });
  }

  it("names a document that is not in the navigation", async () => {
    writeFileSync(path.join(copy, "docs/lost.md"), "# Lost\n");
    const { problems } = await buildSite(copy);
    assert.deepEqual(problems, ["docs/lost.md: is not in scripts/docs/navigation.ts"]);
  });
});
