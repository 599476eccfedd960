import type { Language } from "../languages.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en, type NoteTexts } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { ptBR } from "./pt-br.ts";

/** The notes of mail in the customer's words. The widget is served the same tables. */
export const noteTexts: Readonly<Record<Language, NoteTexts>> = {
  en,
  de,
  es,
  fr,
  "pt-BR": ptBR,
  ja,
  ar,
};
