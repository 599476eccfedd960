import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en, type PageName, type PageTexts } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import type { PageLanguage } from "./language.ts";
import { ptBR } from "./pt-br.ts";

const texts: Readonly<Record<PageLanguage, PageTexts>> = {
  en,
  de,
  es,
  fr,
  "pt-BR": ptBR,
  ja,
  ar,
};

/** Title and text of a page; null for a status that has none. */
export function findPageText(
  language: PageLanguage,
  name: number | string,
): readonly [title: string, text: string] | null {
  return Object.hasOwn(en.pages, name) ? texts[language].pages[name as PageName] : null;
}

export function referenceWord(language: PageLanguage): string {
  return texts[language].reference;
}
