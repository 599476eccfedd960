/**
 * The reader's own form of the language, by which times and dates are written: British, when the
 * browser says so, for `en`.
 */
export function parseRegion(locale: string): string {
  const own = navigator.languages.find((one) => one.toLowerCase().startsWith(`${locale}-`));
  return own ?? locale;
}
