import { customerProvider, customerTexts } from "../../diagnosis/customer-texts.ts";
import type { Finding, FindingText } from "../../diagnosis/finding.ts";
import type { Language } from "../languages.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { es } from "./es.ts";
import { fillFinding } from "./fill.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import type { FindingTexts } from "./language.ts";
import { ptBR } from "./pt-br.ts";

/** The words for the customer in every language. The widget is served the same tables. */
export const findingTexts: Readonly<Record<Language, FindingTexts>> = {
  en: { provider: customerProvider, texts: customerTexts },
  de,
  es,
  fr,
  "pt-BR": ptBR,
  ja,
  ar,
};

/** A finding's words for the customer. */
export function findingText(
  { code, actor, params }: Pick<Finding, "code" | "actor" | "params">,
  language: Language,
): FindingText {
  const { provider, texts } = findingTexts[language];
  const text = texts[code] ?? customerTexts[code];
  return fillFinding(text.byActor?.[actor] ?? text, params, provider, language);
}
