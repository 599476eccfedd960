import { conflictJourneys } from "./conflicts.ts";
import { identityJourneys } from "./identity.ts";
import type { Journey } from "./journey.ts";
import { languageJourneys } from "./language.ts";
import { mailJourneys } from "./mail.ts";
import { pageJourneys } from "./pages.ts";
import { waitingJourneys } from "./waiting.ts";
import { wayJourneys } from "./ways.ts";

/** All journeys, by the number of what they show. */
export const journeys: readonly Journey[] = [
  ...identityJourneys,
  ...waitingJourneys,
  ...conflictJourneys,
  ...wayJourneys,
  ...languageJourneys,
  ...mailJourneys,
  ...pageJourneys,
].toSorted((one, other) => one.name.localeCompare(other.name, "en"));
