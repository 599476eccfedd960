import type { ConnectionDetail, DnsRecord, Mooring, RecordChange, RecordPlan } from "@mooring/sdk";
import { quoted, refusal } from "./reply.ts";

/** Kinds of a change that an agent can plan. */
export const changeKinds = [
  "connect",
  "write_records",
  "revert_records",
  "cut_over",
  "revert_cut_over",
  "archive",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What a plan will do, complete: it can be carried out without asking again. */
export type Change =
  | {
      readonly kind: "connect";
      readonly applicationId: string;
      readonly hostname: string;
      readonly customerRef: string | null;
    }
  | { readonly kind: "archive"; readonly connectionId: string }
  | {
      readonly kind: Exclude<ChangeKind, "connect" | "archive">;
      readonly connectionId: string;
      readonly body: WriteBody;
    };

/**
 * The part of a write that an agent chooses. It names a stored credential and never carries a
 * secret.
 */
export interface WriteBody {
  readonly credential_id?: string;
  readonly replace?: readonly string[];
  readonly accept?: readonly "origin"[];
}

/** A change as a person reads it before they agree. */
export interface Preview {
  readonly title: string;
  /** One line each. */
  readonly effects: readonly string[];
  /** Why it cannot be carried out; null when it can. */
  readonly obstacle: string | null;
  readonly details: object;
}

/** Asks the API what the change would do now, with the rights of this client. Changes nothing. */
export async function previewChange(client: Mooring, change: Change): Promise<Preview> {
  if (change.kind === "connect") return previewConnect(client, change);
  if (change.kind === "archive") return previewArchive(client, change.connectionId);
  const plan = await write(client, change, true);
  const conflicts = plan.changes.filter(({ action }) => action === "conflict");
  const effects = plan.changes.filter(({ action }) => action !== "keep");
  return {
    title: `${titles[change.kind]} in the zone ${named(plan.zone)} at ${named(plan.provider)}`,
    effects: effects.map(effectText),
    obstacle: findObstacle(conflicts, effects),
    details: plan,
  };
}

/** Carries the change out and returns what the API answers. */
export async function carryOut(client: Mooring, change: Change): Promise<object> {
  switch (change.kind) {
    case "connect":
      return client.connections.create({
        application_id: change.applicationId,
        hostname: change.hostname,
        ...(change.customerRef === null ? {} : { customer_ref: change.customerRef }),
      });
    case "archive":
      return client.connections.delete(change.connectionId);
    default: {
      const done = await write(client, change, false);
      if (done.applied) return done;
      throw refusal("not_applied", "The zone is not as the plan says: plan again.");
    }
  }
}

type ZoneChange = Exclude<Change, { readonly kind: "connect" | "archive" }>;

function write(client: Mooring, change: ZoneChange, isDry: boolean): Promise<RecordPlan> {
  const { connectionId, body } = change;
  const { accept, ...common } = body;
  const records = { ...common, dry_run: isDry };
  switch (change.kind) {
    case "write_records":
      return client.connections.applyRecords(connectionId, records);
    case "revert_records":
      return client.connections.revertRecords(connectionId, records);
    case "cut_over":
      return client.connections.cutover(connectionId, {
        ...records,
        ...(accept === undefined ? {} : { accept }),
      });
    case "revert_cut_over":
      return client.connections.revertCutover(connectionId, records);
  }
}

const titles: Readonly<Record<ZoneChange["kind"], string>> = {
  write_records: "Write DNS records",
  revert_records: "Take back the DNS records that were written",
  cut_over: "Move the domain here",
  revert_cut_over: "Move the domain back to its old place",
};

function findObstacle(
  conflicts: readonly RecordChange[],
  effects: readonly RecordChange[],
): string | null {
  if (effects.length === 0) return "There is nothing to change.";
  if (conflicts.length === 0) return null;
  const replaceable = conflicts.filter(({ replaceable }) => replaceable).map(({ id }) => id);
  return replaceable.length === conflicts.length
    ? `Other records are in conflict. Show them to a person; to replace them, plan again with replace ${JSON.stringify(replaceable)}.`
    : "Other records are in conflict, and some cannot be replaced by consent: see the reason of each.";
}

const verbs: Readonly<Record<RecordChange["action"], string>> = {
  create: "add",
  update: "change to",
  keep: "keep",
  conflict: "in conflict:",
  delete: "delete",
};

function effectText({ action, record, existing }: RecordChange): string {
  const was = existing.map((one) => recordLine(one));
  const before = was.length === 0 ? "" : `, in place of ${was.join(" and ")}`;
  return `${verbs[action]} ${recordLine(record)}${action === "delete" ? "" : before}`;
}

function recordLine({ host, type, value }: DnsRecord): string {
  return `${named(host)} ${named(type)} ${quoted(value)}`;
}

/** A name as it is where it is plain, otherwise in quotes: a zone can hold any text. */
function named(text: string): string {
  return /^[\w.*@-]{1,255}$/.test(text) ? text : quoted(text);
}

async function previewConnect(
  client: Mooring,
  { applicationId, hostname, customerRef }: Extract<Change, { readonly kind: "connect" }>,
): Promise<Preview> {
  const found = await client.domains.check({ domain: hostname, application_id: applicationId });
  const customer = customerRef === null ? [] : [`for the customer ${quoted(customerRef)}`];
  return {
    title: `Start connecting ${named(found.domain)} to the application ${applicationId}`,
    effects: [
      "create a connection, which counts towards the plan's limit and changes no DNS by itself",
      ...customer,
    ],
    obstacle: found.registered ? null : "The domain is not registered.",
    details: found,
  };
}

async function previewArchive(client: Mooring, id: string): Promise<Preview> {
  const connection: ConnectionDetail = await client.connections.get(id);
  const { hostname, state } = connection;
  return {
    title: `Archive the connection of ${named(hostname)}`,
    effects: [
      `end the connection, which is ${state} now, and free its hostname`,
      "its visitors are no longer served, and its certificate is no longer renewed",
    ],
    obstacle: state === "archived" ? "The connection is archived already." : null,
    details: { id, hostname, state },
  };
}
