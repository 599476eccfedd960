import type { Scope } from "../../../../control/src/domain/tenancy.ts";
import type { TestApp } from "../app.ts";
import type { World } from "../world.ts";

/**
 * How to call a route, and who may. Tests that call every route read it from here, so that access
 * rules are stated a second time, independent of the route's own file.
 */
export interface RouteSample {
  /** Any one of these suffices; empty: any API key. */
  readonly needs: readonly Scope[];
  /**
   * Whether a widget token is accepted; `customer`: one with a `customer_ref` only; `any`: of any
   * domain.
   */
  readonly widget?: true | "customer" | "any";
  /** The status of a good call, where it is not the route's first. */
  readonly status?: number;
  /** The status for an id that does not exist, where it is only a filter; 404 otherwise. */
  readonly absentStatus?: number;
  readonly request: (world: World) => SampleRequest;
  /** Only people who have signed in may call it; no key and no token. */
  readonly session?: true;
  /** Creates what a good call uses up; runs before each. */
  readonly renew?: (app: TestApp, world: World) => Promise<World>;
}

export interface SampleRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
