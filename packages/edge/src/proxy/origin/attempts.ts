import type { Host } from "../../hosts/host.ts";
import type { OriginOutcomes } from "../../origin-health/outcomes.ts";
import type { Choice, OriginSet } from "./set.ts";
import type { OriginTarget } from "./target.ts";

/** The attempts at one request: which origin is next, and what each says about the origins. */
export class OriginAttempts {
  readonly #set: OriginSet;
  readonly #host: Host;
  readonly #outcomes: OriginOutcomes;
  readonly #tried: OriginTarget[] = [];
  #choice: Choice | null = null;

  constructor(set: OriginSet, host: Host, outcomes: OriginOutcomes) {
    this.#set = set;
    this.#host = host;
    this.#outcomes = outcomes;
  }

  /** Whether another origin can follow the first. */
  get hasOthers(): boolean {
    return this.#set.size > 1;
  }

  get target(): OriginTarget | null {
    return this.#choice?.target ?? null;
  }

  /** The next origin; null when there is none left. `isRisky`: the request cannot be sent again. */
  next(isRisky: boolean): OriginTarget | null {
    const choice = this.#set.choose(this.#tried, isRisky);
    if (choice === null) return null;
    this.#choice = choice;
    this.#tried.push(choice.target);
    return choice.target;
  }

  succeeded(): void {
    this.#choice?.succeeded();
    this.#outcomes.succeeded(this.#host);
  }

  /** The origins as a whole have failed when no other is left for this request. */
  failed(): void {
    this.#choice?.failed();
    if (this.#set.isExhausted(this.#tried)) this.#outcomes.failed(this.#host);
  }

  /** The attempt says nothing about the origin. */
  ended(): void {
    this.#choice?.ended();
  }
}
