import path from "node:path";
import type { EdgeLimits } from "../../config/limits.ts";
import type { HaproxyUser } from "../haproxy-user.ts";
import type { Http3 } from "../http3.ts";
import type { AcceleratorPaths } from "../paths.ts";

export interface ConfigurationOptions {
  readonly paths: AcceleratorPaths;
  /** The sockets of the public port, which are open already. */
  readonly descriptors: readonly number[];
  /** Processes of the Node edge. */
  readonly workers: number;
  /** Names that can be promoted at once. */
  readonly names: number;
  /** The name of this installation in `Via` and `CDN-Loop`. */
  readonly loopId: string;
  readonly limits: EdgeLimits;
  readonly http3: Http3 | null;
  /** Whom HAProxy becomes when its ports are open; null where it stays the user of the edge. */
  readonly user: HaproxyUser | null;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: HAProxy puts the id here that it is started with (`-L`).
export const ownId = "${HAPROXY_LOCALPEER}";

/** Where it connects to when it is another user. */
export function peer({ user }: ConfigurationOptions, socket: string): string {
  return `unix@${user === null ? socket : `/${path.basename(socket)}`}`;
}
