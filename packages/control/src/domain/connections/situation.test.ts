import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { domainsAr } from "../../../../widget/src/locales/domains/ar.ts";
import { domainsDe } from "../../../../widget/src/locales/domains/de.ts";
import { domainsEn } from "../../../../widget/src/locales/domains/en.ts";
import { domainsEs } from "../../../../widget/src/locales/domains/es.ts";
import { domainsFr } from "../../../../widget/src/locales/domains/fr.ts";
import { domainsJa } from "../../../../widget/src/locales/domains/ja.ts";
import { domainsPtBr } from "../../../../widget/src/locales/domains/pt-br.ts";
import { connectionSituation as situationInWidget } from "../../../../widget/src/situation.ts";
import { languages } from "../locales/languages.ts";
import { situationTexts } from "../locales/status/situations.ts";
import { connectionErrors, connectionStates } from "./connection.ts";
import { cutoverStatuses } from "./cutover.ts";
import { connectionSituation } from "./situation.ts";

const inWidget = {
  en: domainsEn,
  de: domainsDe,
  es: domainsEs,
  fr: domainsFr,
  "pt-BR": domainsPtBr,
  ja: domainsJa,
  ar: domainsAr,
};

const rest = { checks: [], ready_at: null, old_records: [], ttl: null, visitors_gone_at: null };

describe("the situation of a domain", () => {
  it("is the same in the widget", () => {
    const listed = connectionStates.filter((one) => one !== "archived");
    for (const state of listed) {
      for (const status of [null, ...cutoverStatuses]) {
        for (const code of [null, ...connectionErrors]) {
          const own = { state, errorCode: code, cutover: status && { status } };
          const other = { state, error_code: code, cutover: status && { status, ...rest } };
          const where = `${state} ${status} ${code}`;
          assert.equal(connectionSituation(own), situationInWidget(other), where);
        }
      }
    }
  });

  it("has the same word in the widget, in every language", () => {
    for (const language of languages) {
      const words = Object.entries(situationTexts[language]).map(([situation, word]) => {
        return [`situation_${situation}`, word];
      });
      const widgetWords = Object.entries(inWidget[language]).filter(([key]) =>
        key.startsWith("situation_"),
      );
      assert.deepEqual(words, widgetWords, language);
    }
  });
});
