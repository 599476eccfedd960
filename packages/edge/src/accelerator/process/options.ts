import type { EdgeLimits, LimitSettings } from "../../config/limits.ts";
import type { EdgeSettings, Log } from "../../config/settings.ts";

export type AcceleratorSettings = LimitSettings &
  Pick<
    EdgeSettings,
    | "DATA_DIR"
    | "EDGE_ACCELERATOR_HTTP3"
    | "EDGE_ACCELERATOR_NAMES"
    | "EDGE_CDN_RANGES"
    | "EDGE_CNAME"
    | "EDGE_DRAIN"
    | "EDGE_HEALTH_CHECKS_FROM"
    | "EDGE_HOST"
    | "EDGE_HTTPS_PORT"
    | "EDGE_PROXY_PROTOCOL"
    | "EDGE_PROXY_PROTOCOL_FROM"
    | "EDGE_TRUSTED_PROXIES"
  >;

export interface AcceleratorOptions {
  readonly settings: AcceleratorSettings;
  /** Processes of the Node edge behind it. */
  readonly workers: number;
  /** The public listener where a service manager has opened it; else host and port of settings. */
  readonly inherited?: number;
  readonly limits?: Partial<EdgeLimits>;
  /** The CAs of https origins as PEM; by default those of Node. */
  readonly trusted?: string;
  /** Another HAProxy than the installed one. */
  readonly program?: string;
  readonly log: Log;
}
