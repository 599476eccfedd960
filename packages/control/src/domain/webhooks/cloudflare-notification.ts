import { cloudflareStatuses } from "../applications/cloudflare-statuses.ts";
import type { connectionSnapshot } from "../connections/connection.ts";
import type { AnyEventType } from "./event.ts";

/** The parts of an event's body that a notification tells of. */
interface EventBody {
  readonly id: string;
  readonly type: AnyEventType;
  readonly created_at: string;
  readonly application_id: string;
  readonly data: {
    readonly connection?: ReturnType<typeof connectionSnapshot> | null;
    readonly renewal?: boolean;
  };
}

const prefix = "ssl.custom_hostname_certificate";

/** The vendor's types of what is an event of the certificate there; other events have our types. */
const vendorTypes: Readonly<Partial<Record<AnyEventType, string>>> = {
  "domain.verified": `${prefix}.validation.succeeded`,
  "domain.stalled": `${prefix}.validation.failed`,
  "domain.failed": `${prefix}.validation.failed`,
  "ssl.issued": `${prefix}.issuance.succeeded`,
  "domain.flow.completed": `${prefix}.deployment.succeeded`,
  "domain.archived": `${prefix}.deletion.succeeded`,
  "certificate.at_risk": `${prefix}.renewal.failed`,
  "certificate.expired": `${prefix}.renewal.failed`,
  "certificate.recovered": `${prefix}.renewal.succeeded`,
};

/**
 * An event as Cloudflare notifies of the certificates of custom hostnames: the envelope of its
 * generic webhooks around the event of the certificate. The same for every attempt. An event that
 * concerns no connection names no hostname, as some of the vendor's do.
 */
export function cloudflareNotification(
  body: string,
  { tenantId, endpointId }: { readonly tenantId: string; readonly endpointId: string },
): string {
  const event = JSON.parse(body) as EventBody;
  const { id, created_at: createdAt, data } = event;
  const connection = data.connection ?? null;
  const account = bare(tenantId);
  return JSON.stringify({
    name: "Mooring",
    text: describe(event),
    data: {
      metadata: {
        event: { id, type: vendorType(event), created_at: createdAt },
        account: { id: account },
        zone: { id: bare(event.application_id) },
      },
      data: connection === null ? {} : hostnameIn(connection),
    },
    ts: Math.floor(Date.parse(createdAt) / 1_000),
    account_id: account,
    policy_id: endpointId,
    policy_name: "Mooring",
    alert_type: "custom_ssl_certificate_event_type",
    alert_correlation_id: id,
  });
}

/** The vendor's form of an id, in which its zones are named. */
function bare(id: string): string {
  return id.replaceAll("-", "");
}

function vendorType({ type, data }: EventBody): string {
  if (type === "ssl.issued" && data.renewal === true) return `${prefix}.renewal.succeeded`;
  return vendorTypes[type] ?? type;
}

function describe(event: EventBody): string {
  const { connection } = event.data;
  if (!connection) return `${event.type}.`;
  const { status, ssl } = statusesIn(connection);
  return `${connection.hostname}: ${event.type}. The hostname is ${status}, its certificate ${ssl}.`;
}

function hostnameIn(connection: NonNullable<EventBody["data"]["connection"]>) {
  const { id, hostname, error_code: errorCode, created_at: createdAt } = connection;
  const { status, ssl } = statusesIn(connection);
  return {
    id,
    hostname,
    status,
    ssl: {
      id,
      type: "dv",
      status: ssl,
      validation_errors: errorCode === null ? [] : [{ message: errorCode }],
    },
    created_at: createdAt,
  };
}

function statusesIn({ state }: NonNullable<EventBody["data"]["connection"]>) {
  return cloudflareStatuses[state] ?? { status: "deleted", ssl: "deleted" };
}

/**
 * The headers of a notification. The vendor's carries one secret as it is: during a rotation every
 * second attempt has the previous one, so that a receiver may have either.
 */
export function cloudflareHeaders(delivery: {
  readonly eventId: string;
  readonly attempt: number;
  readonly secret: string;
  readonly previousSecret: string | null;
}): Record<string, string> {
  const { eventId, attempt, secret, previousSecret } = delivery;
  return {
    "content-type": "application/json",
    "user-agent": "Mooring-Webhooks/1",
    "cf-webhook-auth": attempt % 2 === 0 ? (previousSecret ?? secret) : secret,
    "x-svc-event-id": eventId,
    "x-svc-attempt": String(attempt),
  };
}
