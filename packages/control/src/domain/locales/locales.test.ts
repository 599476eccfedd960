import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mailNoteCodes, mailNoteText, providers } from "@mooring/dns";
import type { CustomerText } from "../diagnosis/customer-texts.ts";
import { findingCodes } from "../diagnosis/finding-codes.ts";
import { fieldLabels } from "./fields/labels.ts";
import { fieldTexts } from "./fields/texts.ts";
import { findingTexts } from "./findings/texts.ts";
import { fillIn, findLanguage, languages, matchLanguage } from "./languages.ts";
import { noteTexts } from "./notes/texts.ts";
import { shareTexts } from "./share/texts.ts";
import { warningTexts } from "./warnings/texts.ts";

const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

/** Words that are the same in the other language. */
const shared: Readonly<Record<string, readonly string[]>> = {
  de: ["Name"],
  fr: ["Type"],
};

/** Compares a language's texts with the English ones: complete, same placeholders, translated. */
function assertTranslated(language: string, texts: object, english: object): void {
  assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort(), language);
  const translated = new Map(Object.entries(texts));
  for (const [key, text] of Object.entries(english) as [string, string][]) {
    const other = translated.get(key) ?? "";
    const where = `${language}: ${key}`;
    assert.notEqual(other.trim(), "", where);
    assert.deepEqual(placeholders(other), placeholders(text), where);
    const isAbbreviation = /^[A-Z]+$/.test(text);
    if (isAbbreviation || shared[language]?.includes(text)) continue;
    assert.notEqual(other, text, `${where} is the English text`);
  }
}

/** Every text of a finding under a key of its own. */
function flat(text: CustomerText | undefined): Readonly<Record<string, string>> {
  const { title = "", fix = "", byActor = {} } = text ?? {};
  const others = Object.entries(byActor).flatMap(([actor, other]) => [
    [`${actor} title`, other.title],
    [`${actor} fix`, other.fix],
  ]);
  return { title, fix, ...Object.fromEntries(others) };
}

describe("the languages of what end customers read", () => {
  for (const language of languages.filter((one) => one !== "en")) {
    it(`${language} has every text of the share page`, () => {
      assertTranslated(language, shareTexts[language], shareTexts.en);
    });

    it(`${language} has every warning of a domain check`, () => {
      assertTranslated(language, warningTexts[language], warningTexts.en);
    });

    it(`${language} has every note of mail`, () => {
      assertTranslated(language, noteTexts[language], noteTexts.en);
    });

    it(`${language} has the labels of every provider's form`, () => {
      const texts: Readonly<Record<string, string>> = fieldTexts[language];
      for (const { slug, credentialFields } of providers) {
        for (const { label } of credentialFields) {
          const text = texts[label] ?? "";
          assert.notEqual(text, "", `${language} ${slug}: ${label}`);
          assert.notEqual(text, label, `${language} ${slug}: ${label} is the English text`);
        }
      }
      assert.deepEqual(Object.keys(texts), [...fieldLabels]);
    });

    it(`${language} has the words of every finding, for every actor`, () => {
      for (const { code } of findingCodes) {
        const texts = flat(findingTexts[language].texts[code]);
        assertTranslated(`${language} ${code}`, texts, flat(findingTexts.en.texts[code]));
      }
      assert.notEqual(findingTexts[language].provider, findingTexts.en.provider);
    });
  }
});

describe("the notes of mail", () => {
  it("have a text for the customer without parameters of the API, RFCs and unknown values", () => {
    assert.deepEqual(Object.keys(noteTexts.en).sort(), [...mailNoteCodes].sort());
    for (const code of mailNoteCodes) {
      const text = noteTexts.en[code];
      assert.doesNotMatch(text, /RFC|[a-z]_[a-z]/, code);
      const known = placeholders(mailNoteText({ code, params: {} }));
      for (const name of placeholders(text)) assert.ok(known.includes(name), `${code} ${name}`);
    }
  });
});

describe("the labels of credentials", () => {
  it("are those of the providers, no more", () => {
    const used = new Set(
      providers.flatMap(({ credentialFields }) => credentialFields.map(({ label }) => label)),
    );
    assert.deepEqual([...used].sort(), [...fieldLabels].sort());
  });
});

describe("the language of a request", () => {
  it("is the one that the browser prefers most of those that there are", () => {
    assert.equal(matchLanguage(undefined), "en");
    assert.equal(matchLanguage("tlh"), "en");
    assert.equal(matchLanguage("de-CH, en;q=0.5"), "de");
    assert.equal(matchLanguage("en;q=0.2, pt;q=0.9"), "pt-BR");
    assert.equal(matchLanguage("ar;q=0, ja"), "ja");
    assert.equal(matchLanguage("*;q=0.1, fr-CA;q=0.9"), "fr");
    assert.equal(matchLanguage(",,;;q=1,de"), "de");
    assert.equal(findLanguage("PT_br"), "pt-BR");
  });

  it("inserts parameters once, as text", () => {
    assert.equal(fillIn("{a} {b} {c}", { a: "{b}", b: 2 }), "{b} 2 {c}");
    assert.equal(fillIn("{a}!", { a: "acme.com" }, "ar"), "\u2068acme.com\u2069!");
  });
});
