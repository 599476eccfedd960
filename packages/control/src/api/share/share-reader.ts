import type { Language, Params } from "../../domain/locales/languages.ts";
import type { ShareTexts } from "../../domain/locales/share/en.ts";
import type { ShareBrand } from "../../services/share/brand.ts";

/** What the parts of the share page need of its language and of the application. */
export interface Reader {
  readonly language: Language;
  readonly t: (key: keyof ShareTexts, params?: Params) => string;
  readonly brand: ShareBrand;
}
