import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { de } from "./de.ts";
import { en, type Messages } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { loadMessages, matchLocale, textsOf } from "./load.ts";
import { ptBR } from "./pt-br.ts";
import { createWords } from "./translate.ts";

const languages: Readonly<Record<string, Messages>> = { de, es, fr, ja, ptBR };
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

describe("the languages", () => {
  for (const [name, messages] of Object.entries(languages)) {
    it(`${name} says everything, with the same things filled in`, () => {
      assert.deepEqual(Object.keys(messages).sort(), Object.keys(en).sort());
      const texts = new Map<string, string>(Object.entries(messages));
      for (const [key, text] of Object.entries(en)) {
        const other = texts.get(key) ?? "";
        assert.notEqual(other.trim(), "", key);
        assert.deepEqual(placeholders(other), placeholders(text), key);
      }
    });

    it(`${name} is a language of its own`, () => {
      const texts = new Map<string, string>(Object.entries(messages));
      const same = Object.entries(en).filter(([key, text]) => texts.get(key) === text);
      assert.ok(same.length < 12, same.map(([key]) => key).join());
    });
  }
});

describe("finding a language", () => {
  it("meets the first wish that can be met", () => {
    assert.equal(matchLocale(["de-AT"]), "de");
    assert.equal(matchLocale(["pt-PT"]), "pt-BR");
    assert.equal(matchLocale([null, "", "tlh", "ja_JP"]), "ja");
    assert.equal(matchLocale(["en-GB", "fr"]), "en");
    assert.equal(matchLocale([]), "en");
  });

  it("goes on in English when a language does not come, and takes texts only", async () => {
    const failing = () => Promise.reject(new Error("away"));
    assert.deepEqual(await loadMessages("de", "http://127.0.0.1", failing), {});
    const broken = async () => new Response("<html>", { status: 200 });
    assert.deepEqual(await loadMessages("de", "http://127.0.0.1", broken), {});
    assert.deepEqual(textsOf({ close: "Zu", back: 1, retry: { toString: () => "x" } }), {
      close: "Zu",
    });
    assert.deepEqual(textsOf("close"), {});
  });

  it("fills things in as text, and keeps the first word for a key", () => {
    const words = createWords({ close: "Zu {what}" });
    words.add({ close: "Close", back: "Back" });
    assert.equal(words.t("close", { what: "<b>{back}</b>" }), "Zu <b>{back}</b>");
    assert.equal(words.t("back"), "Back");
  });
});
