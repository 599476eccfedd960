import type { Mooring } from "@mooring/sdk";
import type { Plans } from "./plans.ts";

/** What the tools of one client act with. */
export interface ToolContext {
  readonly client: Mooring;
  readonly apiKey: string;
  readonly plans: Plans;
  /** Where a person confirms a plan when the client cannot ask. */
  readonly confirmUrl: (planId: string) => Promise<string>;
}
