import type { Language } from "../languages.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en, type WarningTexts } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { ptBR } from "./pt-br.ts";

/** The warnings of a domain check in the customer's words. The widget is served the same tables. */
export const warningTexts: Readonly<Record<Language, WarningTexts>> = {
  en,
  de,
  es,
  fr,
  "pt-BR": ptBR,
  ja,
  ar,
};
