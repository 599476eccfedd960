import assert from "node:assert/strict";
import { globSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { maintenanceTexts } from "../../packages/control/src/domain/locales/maintenance-texts.ts";
import { removalTexts } from "../../packages/control/src/domain/locales/removal-texts.ts";
import { statusTexts } from "../../packages/control/src/domain/locales/status/texts.ts";

/**
 * The reader is addressed in one way per language, in every text: *tú* in Spanish, *Sie* in German,
 * *vous* in French, *você* in Portuguese. Below are words that only the other way has.
 */

const root = path.join(import.meta.dirname, "../..");

interface Form {
  /** The name of a language's files. */
  readonly file: string;
  readonly other: RegExp;
  /** A sentence in the other form, which has to be found. */
  readonly sample: string;
}

/** Matches any of the words, whole; after a pronoun ("se renueve") a verb is no imperative. */
function words(list: string): RegExp {
  const either = list.trim().split(/\s+/).join("|");
  return new RegExp(`(?<!\\p{L}|\\b(?:se|l[oa]s?) )(?:${either})(?!\\p{L})`, "iu");
}

const forms: Readonly<Record<"de" | "es" | "fr" | "pt-BR", Form>> = {
  es: {
    file: "es",
    other: words(`
      usted ustedes abra acepte añada añádalos apruebe asegúrese busque cámbielo cambie compárelas
      compruebe conecte configure contacte copie corrija deje déjelo demuestre demuéstrelo desactive
      edite elija elimine elimínelos empiece escriba espere haga inicie inténtelo introduzca mantenga
      marque mire pegue péguelo permita pida póngase ponga pregunte pulse quite registre renueve
      revise sustituya sustitúyalo termine use vaya vuelva no\\stiene\\sque puede\\scerrar
      su\\s(?:dominio|proveedor|contraseña|cuenta|navegador|zona|sesión) sus\\s(?:dominios|buzones)
    `),
    sample: "Añada el registro en su proveedor.",
  },
  de: {
    file: "de",
    other: words(`
      du dein\\p{L}* dich dir euch euer\\p{L}* füge gib klicke lösche wähle prüfe öffne kopiere trage
      ändere entferne setze lass warte starte ersetze versuche hast kannst musst bist
    `),
    sample: "Füge den Eintrag bei deinem Anbieter hinzu.",
  },
  fr: {
    file: "fr",
    other: words("tu toi ton ta tes tien tienne clique choisis essaie attends as peux dois"),
    sample: "Clique sur ton domaine.",
  },
  "pt-BR": {
    file: "pt-br",
    other: words("tu ti contigo teus? tuas? podes tens deves queres vós vossos? vossas?"),
    sample: "O teu domínio está no ar.",
  },
};

/** Every text inside, with the keys that lead to it. */
function collectTexts(value: unknown, where: string): readonly (readonly [string, string])[] {
  if (typeof value === "string") return [[where, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => collectTexts(inner, `${where} ${key}`));
}

describe("the reader is addressed in one way", () => {
  for (const [language, { file, other, sample }] of Object.entries(forms)) {
    it(`in every ${language} text`, async () => {
      assert.match(sample, other);
      const files = globSync(`packages/*/src/**/${file}.ts`, { cwd: root });
      assert.ok(files.length >= 10, `only ${files.length} catalogues found`);
      const catalogues = await Promise.all(
        files.map(async (name): Promise<[string, unknown]> => {
          return [name, { ...(await import(pathToFileURL(path.join(root, name)).href)) }];
        }),
      );
      const mixed = Object.entries({ maintenanceTexts, removalTexts, statusTexts }).map(
        ([name, byLanguage]): [string, unknown] => {
          return [name, byLanguage[language as keyof typeof forms]];
        },
      );
      const wrong = [...catalogues, ...mixed]
        .flatMap(([name, texts]) => collectTexts(texts, name))
        .filter(([, text]) => other.test(text))
        .map(([where, text]) => `${where}: ${other.exec(text)?.[0]} in "${text}"`);
      assert.deepEqual(wrong, []);
    });
  }
});
