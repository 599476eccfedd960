/**
 * The `edge` object of an application as the edge uses it; null where the tenant has set nothing. A key
 * of the API is added here and in `services/edge-settings.ts` of the control plane.
 */
export interface ApplicationEdge {
  /** From the last byte of a request to the first of its response. */
  readonly firstByteMs: number | null;
  /** How long a response, an event stream or a WebSocket may be silent. */
  readonly idleMs: number | null;
  /** The largest body of a request. */
  readonly bodyBytes: number | null;
  readonly websocketMs: number | null;
  /** Used where there are several origins. */
  readonly healthCheck: HealthCheck | null;
}

export interface HealthCheck {
  /** Below the path of the origin's URL. */
  readonly path: string;
  readonly intervalMs: number;
  /** That of an origin that works. */
  readonly status: number;
}

/**
 * Reads the stored object. The API has validated it, but perhaps that of another release: a value that
 * is not understood counts as not set, so that it never stops the rest.
 */
export function readApplicationEdge(stored: unknown): ApplicationEdge {
  const values = isObject(stored) ? stored : {};
  return {
    firstByteMs: milliseconds(values["first_byte_timeout_s"]),
    idleMs: milliseconds(values["idle_timeout_s"]),
    bodyBytes: positive(values["max_body_bytes"]),
    websocketMs: milliseconds(values["websocket_lifetime_s"]),
    healthCheck: healthCheckIn(values["health_check"]),
  };
}

function healthCheckIn(value: unknown): HealthCheck | null {
  if (!isObject(value)) return null;
  const { path } = value;
  const intervalMs = milliseconds(value["interval_s"]);
  const status = positive(value["status"]);
  if (typeof path !== "string" || intervalMs === null || status === null) return null;
  return { path, intervalMs, status };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function positive(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value : null;
}

function milliseconds(value: unknown): number | null {
  const seconds = positive(value);
  return seconds === null ? null : seconds * 1_000;
}
