import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { rejectionPage } from "./error-page.ts";
import { ar } from "./pages/ar.ts";
import { de } from "./pages/de.ts";
import { en } from "./pages/en.ts";
import { es } from "./pages/es.ts";
import { fr } from "./pages/fr.ts";
import { ja } from "./pages/ja.ts";
import { matchPageLanguage } from "./pages/language.ts";
import { ptBR } from "./pages/pt-br.ts";

const page = (acceptLanguage: string) =>
  rejectionPage(400, "12ab34cd56ef", ["accept-language", acceptLanguage]);

describe("the language of an error page", () => {
  it("is the one that the browser prefers most of those that there are", () => {
    for (const [accepted, language] of [
      [null, "en"],
      ["", "en"],
      ["tlh, *", "en"],
      ["de-CH, en;q=0.5", "de"],
      ["en;q=0.2, PT;q=0.9", "pt-BR"],
      ["ar;q=0, ja", "ja"],
      ["*;q=0.1, fr-CA;q=0.9", "fr"],
      ["fr, de", "fr"],
      ["de;q=7, es;q=x, ,;;q=1", "en"],
      [`${"xx,".repeat(10_000)}de`, "en"],
    ] as const) {
      assert.equal(matchPageLanguage(accepted), language, accepted?.slice(0, 40));
    }
  });

  it("is named in the page and its fields, and written in its direction", () => {
    const german = page("de");
    assert.match(german.body, /<html lang="de" dir="ltr">[\s\S]*<h1>Ungültige Anfrage<\/h1>/);
    assert.match(german.body, /400 · Referenz 12ab34cd56ef</);
    assert.match(german.fields.join("|"), /content-language\|de\|vary\|accept-language/);
    const arabic = page("ar-EG");
    assert.match(arabic.body, /<html lang="ar" dir="rtl">[\s\S]*<bdi>12ab34cd56ef<\/bdi>/);
  });

  it("has every text, none of them in English", () => {
    for (const [language, { reference, pages }] of Object.entries({ ar, de, es, fr, ja, ptBR })) {
      assert.notEqual(reference, en.reference, language);
      for (const [name, texts] of Object.entries(en.pages)) {
        const own = pages[name as keyof typeof pages];
        for (const index of [0, 1] as const) {
          assert.notEqual(own[index].trim(), "", `${language} ${name}`);
          assert.notEqual(own[index], texts[index], `${language} ${name}`);
          // The page's own texts are not escaped.
          assert.doesNotMatch(own[index], /[<>&"]/, `${language} ${name}`);
        }
      }
    }
  });
});
