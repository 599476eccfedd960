import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { domainsEn } from "./domains/en.ts";
import { enFirst } from "./en-first.ts";
import { enLater } from "./en-later.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { mailEn } from "./mail/en.ts";
import {
  createTranslator,
  loadMessages,
  type Messages,
  matchLocale,
  parseTexts,
} from "./messages.ts";
import { movingEn } from "./moving/en.ts";
import { ptBR } from "./pt-br.ts";
import { setupEn } from "./setup/en.ts";

const en: Messages = { ...enFirst, ...enLater, ...mailEn, ...setupEn, ...domainsEn, ...movingEn };
const languages: Readonly<Record<string, Messages>> = { ar, de, es, fr, ja, ptBR };
/** An example, abbreviations, and words that another language has too. */
const sameWords: readonly string[] = [
  "enter_placeholder",
  "hours",
  "manual_host",
  "manual_ttl",
  "minutes",
  "share_link",
  "stage_domain",
  "token_optional",
];
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

describe("the languages", () => {
  for (const [name, messages] of Object.entries(languages)) {
    it(`${name} has every message, with the same placeholders`, () => {
      assert.deepEqual(Object.keys(messages).sort(), Object.keys(en).sort());
      const texts = new Map<string, string>(Object.entries(messages));
      for (const [key, text] of Object.entries(en)) {
        const other = texts.get(key) ?? "";
        assert.notEqual(other.trim(), "", key);
        assert.deepEqual(placeholders(other), placeholders(text), key);
      }
    });

    it(`${name} has the English text only where the words are the same`, () => {
      const texts = new Map<string, string>(Object.entries(messages));
      const same = Object.entries(en).filter(([key, text]) => texts.get(key) === text);
      const untranslated = same.map(([key]) => key).filter((key) => !sameWords.includes(key));
      assert.deepEqual(untranslated, []);
    });
  }
});

describe("choosing a language", () => {
  it("matches the first preference with a translation", () => {
    assert.equal(matchLocale(["de-AT"]), "de");
    assert.equal(matchLocale(["pt-PT"]), "pt-BR");
    assert.equal(matchLocale([null, "", "tlh", "ja_JP"]), "ja");
    assert.equal(matchLocale(["en-GB", "fr"]), "en");
    assert.equal(matchLocale([]), "en");
  });

  it("falls back to English when a language cannot be loaded, and accepts strings only", async () => {
    const failing = () => Promise.reject(new Error("unreachable"));
    assert.deepEqual(await loadMessages("de", "http://127.0.0.1", failing), {});
    const broken = async () => new Response("<html>", { status: 200 });
    assert.deepEqual(await loadMessages("de", "http://127.0.0.1", broken), {});
    assert.deepEqual(parseTexts({ close: "Zu", back: 1, retry: { toString: () => "x" } }), {
      close: "Zu",
    });
    assert.deepEqual(parseTexts("close"), {});
  });

  it("inserts parameters as text, and does not replace a message", () => {
    const translator = createTranslator({ close: "Zu {what}" });
    translator.add({ close: "Close", back: "Back" });
    assert.equal(translator.t("close", { what: "<b>{back}</b>" }), "Zu <b>{back}</b>");
    assert.equal(translator.t("back"), "Back");
  });

  it("writes domains and zones in Unicode, and leaves what is to be copied as it is", () => {
    const { t } = createTranslator({ manual_lede: "{zone} {name}" });
    const name = "xn--kse-qla.example";
    assert.equal(t("manual_lede", { zone: name, name }), `käse.example ${name}`);
  });

  it("isolates what is inserted where the language is written from right to left", () => {
    const { t } = createTranslator({ close: "{what}!" }, "ar");
    assert.equal(t("close", { what: "_a.example" }), "\u2068_a.example\u2069!");
    for (const [key, text] of Object.entries(ar)) {
      // Letters that belong to the name are inside of an isolate of their own.
      const loose = text.replaceAll(/\u2068[^\u2069]*\u2069/g, "");
      assert.doesNotMatch(loose, /[\w.-]\{\w+\}|\{\w+\}[\w-]/, key);
    }
  });
});
