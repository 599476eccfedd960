import type { Caller } from "@mooring/testing/clients/connecting";
import type { Browser } from "playwright-core";

/** A running instance, as `npm start` has printed it. */
export interface Instance extends Caller {
  readonly browser: Browser;
  /** Signs in to the console, once. */
  readonly consoleLink: string;
  /** The lines to export, and those to paste. */
  readonly exports: string;
  readonly quickStart: readonly string[];
  /** Differs from run to run: names of zones are made of it. */
  readonly label: string;
}

/** Says what happens next; a walk that throws has stopped at the last one. */
export type Step = (name: string) => void;

/** What one person does with a running instance, from the first page to the end. */
export interface PersonWalk {
  readonly who: string;
  walk(instance: Instance, step: Step): Promise<void>;
}
