import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { detectProvider } from "../../checks/detect.ts";
import { knownHosts } from "../../checks/known-hosts.ts";
import { providers } from "../registry.ts";
import { findForm, findPanel, findTokenGuide, formValue } from "./find-guide.ts";
import { panels } from "./panels.ts";
import { tokens } from "./tokens.ts";

const slugs = new Set([...providers, ...knownHosts].map(({ slug }) => slug));

describe("the guides", () => {
  it("lead to the domain's own page at 25 providers at least, and to the panel of others, over TLS", () => {
    const known = Object.keys(panels);
    const direct = known.filter((slug) => findPanel(slug, "acme.com")?.isZonePage === true);
    assert.ok(direct.length >= 25, direct.join());
    // The panel of a web host is on the machine of the domain.
    const ownMachine = new Set(providers.flatMap(({ slug, panel }) => (panel ? [slug] : [])));
    for (const slug of known) {
      const { url = "", isZonePage } = findPanel(slug, "acme.com") ?? {};
      assert.equal(new URL(url).protocol, "https:", slug);
      assert.equal(url.includes("acme.com"), isZonePage || ownMachine.has(slug), slug);
      assert.doesNotMatch(url, /[{}]/, slug);
      assert.ok(slugs.has(slug), `${slug} is not detected`);
    }
  });

  it("escape the domain in a link", () => {
    assert.match(findPanel("porkbun", "a b&c")?.url ?? "", /\/a%20b%26c$/);
    assert.equal(findPanel("porkbun", "acme.com")?.url, "https://porkbun.com/account/dns/acme.com");
    assert.equal(findPanel("nobody", "acme.com"), null);
    assert.equal(findPanel("constructor", "acme.com"), null);
  });

  describe("of the largest panels without an API", () => {
    const table: readonly (readonly [server: string, url: string, way: string, form: string])[] = [
      [
        "nsa1.squarespacedns.com",
        "https://account.squarespace.com/domains/managed/acme.com/dns/dns-settings",
        "DNS › Custom records + Add record = Save",
        "Host, Data, TTL, @",
      ],
      [
        "docks18.rzone.de",
        "https://www.strato.de/apps/CustomerService",
        "Domains › Domainverwaltung › acme.com › DNS › TXT- und CNAME-Records + Weiteren Record erstellen = Einstellungen übernehmen",
        "Präfix, Wert., –, empty",
      ],
      [
        "dns.technorail.com",
        "https://admin.aruba.it/",
        "Dominio › Gestione DNS e Name Server + Aggiungi record = –",
        "Nome host, Valore, TTL, @",
      ],
      [
        "ns8.wixdns.net",
        "https://manage.wix.com/account/domains",
        "acme.com › Domain Actions › Manage DNS Records + + Add Record = Save › Save Changes",
        "Host Name, Value, TTL, empty",
      ],
      [
        "ns.hostpoint.ch",
        "https://admin.hostpoint.ch/customer/Domains/Dns/Edit?name=acme.com",
        "Domains › acme.com › DNS Zone bearbeiten + Neuer Record hinzufügen = Record hinzufügen › Jetzt ausführen",
        "unknown",
      ],
      [
        "01.dnsv.jp",
        "https://navi.onamae.com/domain",
        "DNS設定/転送設定 › acme.com › DNSレコード設定を利用する + 追加 = 確認画面へ進む › 設定する",
        "ホスト名, VALUE, TTL, empty",
      ],
      [
        "a.auto.dns.br",
        "https://registro.br/painel/dominios/?dominio=acme.com",
        "Configurar zona DNS › Modo avançado + Nova entrada = Adicionar › Salvar alterações",
        "Nome, Dados, –, empty",
      ],
      [
        "ns.123-reg.co.uk",
        "https://www.123-reg.co.uk/secure/cpanel/domain/overview",
        "acme.com › DNS + Add New Record = Save",
        "Name, Value., TTL, @",
      ],
      [
        "ns01.one.com",
        "https://www.one.com/admin/dns-overview.do",
        "Advanced settings › DNS settings › DNS records + Create new record = Create record",
        "Hostname, by type, TTL, empty",
      ],
    ];
    const wayTo = (slug: string | null) => {
      const { url, path = [], add, save } = findPanel(slug, "acme.com") ?? {};
      return { url, way: `${path.join(" › ")} + ${add ?? "–"} = ${save ?? "–"}` };
    };
    const shownForm = (slug: string | null) => {
      const form = findForm(slug, null);
      if (form === null) return "unknown";
      const value = `${form.value ?? "by type"}${form.targetDot ? "." : ""}`;
      return [form.host, value, form.ttl ?? "–", form.apexHost || "empty"].join(", ");
    };
    for (const [server, url, way, form] of table) {
      it(`${server}: ${way}`, () => {
        const { provider } = detectProvider([server]);
        assert.deepEqual(wayTo(provider?.slug ?? null), { url, way });
        assert.equal(provider?.manifest, null);
        assert.equal(shownForm(provider.slug), form);
      });
    }

    it("shopify, whose servers are shared", () => {
      const { ambiguous } = detectProvider(["ns-cloud-b1.googledomains.com"]);
      assert.ok(ambiguous.some(({ slug }) => slug === "shopify"));
      assert.deepEqual(wayTo("shopify"), {
        url: "https://admin.shopify.com/settings/domains",
        way: "acme.com › Domain settings › Edit DNS settings + Add custom record = Confirm",
      });
      assert.equal(shownForm("shopify"), "Name, by type, TTL, @");
    });
  });

  it("take the form of a manifest before that of a panel, and none of a stranger", () => {
    const manifest = providers.find(({ slug }) => slug === "digitalocean") ?? null;
    assert.deepEqual(findForm("strato", manifest), {
      host: "Hostname",
      value: "Value",
      ttl: "TTL (seconds)",
      hostStyle: "relative",
      apexHost: "@",
      apexType: null,
      minimumTtlSeconds: 60,
      targetDot: false,
    });
    assert.equal(findForm("nobody", null), null);
    assert.equal(findForm(null, null), null);
  });

  it("end a host name with a dot where the panel needs it, and no other value", () => {
    const dotted = findForm("strato", null);
    const shown = (type: string, value: string) => formValue({ type, value }, dotted);
    assert.equal(shown("CNAME", "edge.example"), "edge.example.");
    assert.equal(shown("CNAME", "edge.example."), "edge.example.");
    assert.equal(shown("A", "203.0.113.5"), "203.0.113.5");
    assert.equal(shown("TXT", "service-verify=x"), "service-verify=x");
    const plain = { type: "CNAME", value: "edge.example" };
    assert.equal(formValue(plain, findForm("one_com", null)), "edge.example");
    assert.equal(formValue(plain, null), "edge.example");
  });

  it("call a credential that takes programs a developer's", () => {
    const effort = (slug: string) => {
      const manifest = providers.find((one) => one.slug === slug);
      return manifest === undefined ? null : findTokenGuide(manifest).effort;
    };
    for (const slug of [
      "route53",
      "azure_dns",
      "google_cloud_dns",
      "rfc2136",
      "godaddy",
      "namecheap",
      "powerdns",
    ]) {
      assert.equal(effort(slug), "developer", slug);
    }
    for (const slug of ["cloudflare", "digitalocean", "gandi", "hetzner"]) {
      assert.equal(effort(slug), "minute", slug);
    }
  });

  it("have fields of the manifest as alternatives, each with all that is required", () => {
    for (const manifest of providers) {
      const { alternatives } = findTokenGuide(manifest);
      const keys = manifest.credentialFields.map(({ key }) => key);
      assert.ok(
        alternatives.flat().every((key) => keys.includes(key)),
        manifest.slug,
      );
      const required = manifest.credentialFields.filter((field) => field.required);
      const areComplete = alternatives.map((one) => required.every(({ key }) => one.includes(key)));
      assert.ok(!areComplete.includes(false), manifest.slug);
    }
    for (const slug of Object.keys(tokens)) assert.ok(slugs.has(slug), slug);
  });

  it("say where our addresses are allowed, at every provider with a list of them", () => {
    for (const manifest of providers.filter((one) => one.allowedAddress !== undefined)) {
      const { steps } = findTokenGuide(manifest);
      assert.ok(
        steps.some(({ action }) => action === "addresses"),
        manifest.slug,
      );
    }
  });
});
