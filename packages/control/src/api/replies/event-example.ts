import {
  type AnyEventType,
  type EventType,
  endpointEventBody,
  eventBody,
  type VisibleConnection,
} from "../../domain/event.ts";

const id = "0199a3c2-5d70-7c11-8b6e-2f9a41d7e035";
const applicationId = "0198f0aa-1b20-7e44-9c55-70d1f3b8a612";
const at = new Date("2026-11-15T09:30:12.480Z");

const connection: VisibleConnection = {
  id: "0199a3b9-8e04-7d2a-a1f3-5c6b7d8e9f01",
  applicationId,
  environment: "live",
  hostname: "shop.example.com",
  kind: "subdomain",
  setupType: "manual",
  state: "live",
  provider: "cloudflare",
  batchId: null,
  errorCode: null,
  createdAt: new Date("2026-11-15T09:20:41.092Z"),
};

/** What is particular to each kind in the example: its place, the connection then, further data. */
const particulars: Readonly<
  Record<
    EventType,
    {
      readonly sequence: number;
      readonly moment?: Partial<VisibleConnection>;
      readonly data?: object;
    }
  >
> = {
  "domain.added": { sequence: 1, moment: { state: "pending_ownership" } },
  "domain.verified": { sequence: 2, moment: { state: "verified" } },
  "ssl.issued": { sequence: 3 },
  "domain.flow.completed": { sequence: 4 },
  "domain.drift": { sequence: 5, moment: { state: "drifted", errorCode: "record_mismatch" } },
  "domain.restored": { sequence: 6 },
  "domain.failed": { sequence: 2, moment: { state: "failed", errorCode: "ownership_timeout" } },
  "domain.archived": { sequence: 7, moment: { state: "archived" }, data: { reason: "deleted" } },
};

/** A documented example, written by the very functions that write events. */
export function eventExample(type: AnyEventType): unknown {
  return JSON.parse(exampleText(type));
}

function exampleText(type: AnyEventType): string {
  const about = { id, at, applicationId, environment: "live" } as const;
  if (type === "endpoint.test") return endpointEventBody({ ...about, type, data: {} });
  if (type === "endpoint.disabled") {
    const endpoint = {
      id: "0198f0b1-77c3-7a90-8d2e-6b5a4c3d2e1f",
      url: "https://app.example.com/webhooks",
      disabled_reason: "failing",
    };
    return endpointEventBody({ ...about, type, data: { endpoint } });
  }
  const { sequence, moment = {}, data = {} } = particulars[type];
  return eventBody({ id, at, type, sequence, connection: { ...connection, ...moment }, data });
}
