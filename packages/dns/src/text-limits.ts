import { ProviderError } from "./errors.ts";
import type { DnsRecord } from "./record.ts";

export interface TextLimits {
  /** Matches a text that the provider would refuse or change. */
  readonly forbidden: RegExp;
  readonly mostCharacters: number;
}

/** Refuses, before anything is written, a text that would not come back as it was sent. */
export function requireTexts(records: readonly DnsRecord[], limits: TextLimits): void {
  for (const { type, name, value } of records) {
    if (type !== "TXT") continue;
    if (limits.forbidden.test(value) || value.length > limits.mostCharacters) {
      throw new ProviderError(
        "unsupported",
        `The provider cannot store the text of ${name}: it is too long or has a character that is refused there.`,
      );
    }
  }
}
