import type { Language } from "../languages.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en, type ShareTexts } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { ptBR } from "./pt-br.ts";

export const shareTexts: Readonly<Record<Language, ShareTexts>> = {
  en,
  de,
  es,
  fr,
  "pt-BR": ptBR,
  ja,
  ar,
};
