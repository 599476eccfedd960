import type { Application } from "./application.ts";
import type { Host } from "./host.ts";

/** A host with the settings of its application. */
export interface Site {
  readonly host: Host;
  readonly application: Application;
}
