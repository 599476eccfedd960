import type { Language } from "../languages.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import type { FieldTexts } from "./labels.ts";
import { ptBR } from "./pt-br.ts";

/** The labels of a credential's fields; in English they are the manifest's own. */
export const fieldTexts: Readonly<Record<Exclude<Language, "en">, FieldTexts>> = {
  de,
  es,
  fr,
  "pt-BR": ptBR,
  ja,
  ar,
};
