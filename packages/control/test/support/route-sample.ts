import type { Scope } from "../../src/domain/tenancy.ts";
import type { TestApp } from "./app.ts";
import type { World } from "./world.ts";

/**
 * How to call each route, and what the interface promises about who may: the tests that walk every
 * route read it from here, so that a promise is stated once more than in the route's own file.
 */
export interface RouteSample {
  /** Any one of these suffices; empty: any API key. */
  readonly needs: readonly Scope[];
  /** Whether a widget token is accepted. */
  readonly widget?: true;
  /** The status of a good call, where it is not the route's first. */
  readonly status?: number;
  /** The status for an id that does not exist, where it is only a filter; 404 otherwise. */
  readonly absentStatus?: number;
  readonly request: (world: World) => SampleRequest;
  /** Makes what a good call uses up, before each. */
  readonly renew?: (app: TestApp, world: World) => Promise<World>;
}

export interface SampleRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
