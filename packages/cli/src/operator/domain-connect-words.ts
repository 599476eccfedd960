import type { KeyReport } from "@mooring/control";

export const useWords: Readonly<Record<KeyReport["use"], string>> = {
  waiting: "waits for DNS",
  signing: "signs",
  superseded: "verifies until retired",
  retired: "retired",
};

/** What DNS has, and what to do about it where that is not plain. */
export function publicationWords({ publication, use }: KeyReport): string {
  switch (publication.state) {
    case "published":
      return use === "retired" ? "still there: remove the records" : "published";
    case "missing":
      return use === "retired" ? "gone" : "missing";
    case "unknown":
      return "could not be asked";
    case "wrong":
      return `wrong: ${publication.reason}`;
  }
}

/** In the form of a zone file: each text is one character-string, as verifiers want it. */
export function recordLines({ name, records }: Pick<KeyReport, "name" | "records">): string[] {
  return records.map((text) => `${name}. 3600 IN TXT "${text}"`);
}
