import type { FindingText } from "../../diagnosis/finding.ts";
import { fillIn, type Language } from "../languages.ts";
import { shownNames } from "../names.ts";

/**
 * Fills a finding's parameters into its text. An unknown provider is named as the reader knows it.
 */
export function fillFinding(
  { title, fix }: FindingText,
  params: Readonly<Record<string, string>>,
  provider: string,
  language: Language,
): FindingText {
  const time = params["time"];
  const values = {
    ...shownNames(params),
    provider: params["provider"] || provider,
    ...(time === undefined ? {} : { time: utcTime(time, language) }),
  };
  const fill = (text: string) => {
    const filled = fillIn(text, values, language);
    return text.startsWith("{provider}") ? capitalized(filled, language) : filled;
  };
  return { title: fill(title), fix: fill(fix) };
}

function capitalized(text: string, language: Language): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

/** The day and the minute in UTC, for a reader whose time zone is not known. */
function utcTime(iso: string, language: Language): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${format.format(new Date(iso))} UTC`;
}
