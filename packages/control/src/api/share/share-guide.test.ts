import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type DnsRecord, findForm, findPanel } from "@mooring/dns";
import { fillIn } from "../../domain/locales/languages.ts";
import { shareTexts } from "../../domain/locales/share/texts.ts";
import { panelGuide } from "./share-guide.ts";
import type { Reader } from "./share-reader.ts";

const zone = "acme.example";

function steps(
  slug: string,
  name: string,
  type: DnsRecord["type"],
  records = 1,
  isBehindCdn = false,
): readonly string[] {
  const dnsHost = {
    zone,
    provider: "The Host",
    manifest: null,
    panel: findPanel(slug, zone),
    form: findForm(slug, null),
  };
  const record = { name, type, value: "v.example", ttl: 300, priority: null };
  const form = { type, host: "", value: "v.example", ttl: 300 };
  const shared = { purpose: "traffic", record, form, status: "missing", observed: [] } as const;
  const brand = { name: "Shop", logoUrl: null, color: null, supportUrl: null };
  const reader: Reader = {
    language: "en",
    brand,
    t: (key, params) => fillIn(shareTexts.en[key], { ...params }, "en"),
  };
  const { markup } = panelGuide(dnsHost, Array(records).fill(shared), reader, isBehindCdn);
  return [...markup.matchAll(/<li>([^<]+)<\/li>/g)].map(([, text = ""]) => text);
}

describe("the guide to a panel", () => {
  it("says what the panel cannot do only where a record asks for it", () => {
    const few = steps("registro_br", `shop.${zone}`, "CNAME");
    assert.deepEqual(few, [
      "Go to Configurar zona DNS › Modo avançado.",
      "Press “Nova entrada” and choose the type CNAME.",
      `Copy “Nome” and “Dados” as shown here; The Host adds ${zone} to the name by itself.`,
      "Press “Adicionar › Salvar alterações” to save.",
    ]);
    const extra = (name: string, type: DnsRecord["type"], slug = "registro_br") =>
      steps(slug, name, type).slice(3, -1);
    assert.deepEqual(extra(zone, "ALIAS"), [
      `The Host takes no ALIAS or CNAME record for ${zone} itself. Use a name such as www.${zone} instead.`,
    ]);
    assert.deepEqual(extra(`*.${zone}`, "CNAME"), ["The Host takes no name with an asterisk (*)."]);
    assert.deepEqual(extra(zone, "A", "strato"), [
      "A and AAAA records have a section of their own.",
    ]);
  });

  it("asks to switch a proxy off only where it may not stay on", () => {
    const notes = (isBehindCdn: boolean) =>
      steps("cloudflare", `shop.${zone}`, "CNAME", 1, isBehindCdn).join("\n");
    assert.match(notes(false), /orange cloud/);
    assert.doesNotMatch(notes(true), /orange cloud/);
  });

  it("names the section of a type in place of a field for it", () => {
    assert.deepEqual(steps("wix", `shop.${zone}`, "CNAME").slice(1, 2), [
      "Press “+ Add Record” in the section of the type CNAME.",
    ]);
    assert.deepEqual(steps("wix", `shop.${zone}`, "CNAME", 2).slice(1, 2), [
      "Press “+ Add Record” for each record below, in the section of its type.",
    ]);
  });

  it("is empty where the panel is not known", () => {
    assert.deepEqual(steps("nobody", zone, "A"), []);
  });
});
