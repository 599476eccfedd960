import type { RecordCheck } from "@mooring/dns";
import { selectDueAt } from "../../db/queries/connections/due-connections.ts";
import { isValidationRecord } from "../../domain/certificates/validation.ts";
import {
  type Connection,
  connectionPhase,
  holdsClaim,
} from "../../domain/connections/connection.ts";
import { isPreparing } from "../../domain/connections/cutover.ts";
import { AppError } from "../../domain/errors.ts";
import { ownershipRecord } from "../../domain/ownership/ownership-challenge.ts";
import type { OwnershipProof } from "../../domain/ownership/proofs.ts";
import { auditSource, type ServiceContext } from "../context.ts";
import { checkNow } from "./checks/check.ts";
import { isEarly, noteRecordsAdded } from "./early.ts";
import { refuseArchived, requireConnection } from "./read.ts";

/** Checks the ownership record at once; once ownership is proven, only the desired records. */
export async function verifyConnection(ctx: ServiceContext, id: string): Promise<Connection> {
  const before = await ctx.read((tx) => requireConnection(ctx, tx, id));
  refuseArchived(before);
  const scope = { ownership: !holdsClaim(before.state) };
  const { connection, check } = await checkNow(
    ctx.runtime,
    before,
    ctx.signal,
    scope,
    auditSource(ctx),
  );
  refuseArchived(connection);
  if (holdsClaim(connection.state)) return connection;
  if (connection.errorCode === "hostname_conflict") {
    const { hostname, contest } = connection;
    throw new AppError("HostnameConflict", `${hostname} is held by another connection`, {
      details: contest && { contest_deadline: contest.deadline.toISOString() },
    });
  }
  throw notProven(connection, check.proof);
}

/** The error says which value is expected where, and what each server answered. */
function notProven(connection: Connection, proof: OwnershipProof | null): AppError {
  const { name, type, value } = proof?.record ?? ownershipRecord(connection);
  return new AppError("ownership_not_found", sentence(connection, { name, type }), {
    details: {
      name,
      type,
      expected: value,
      observed: proof?.observed ?? [],
      observed_truncated: proof?.isTruncated ?? false,
      servers: (proof?.servers ?? []).map(({ server, outcome }) => ({ server, outcome })),
      reason: proof?.reason ?? null,
    },
  });
}

function sentence(
  connection: Connection,
  { name, type }: { readonly name: string; readonly type: string },
): string {
  switch (connection.errorCode) {
    case "txt_mismatch":
    case "record_mismatch":
      return `the ${type} record at ${name} does not have the expected value`;
    case "not_registered":
      return `${connection.registrableDomain} is not registered`;
    case "dns_timeout":
    case "dns_servfail":
      return `the DNS servers of ${connection.registrableDomain} could not be asked; nothing is lost, try again`;
    case "dnssec_bogus":
      return `DNSSEC of ${connection.registrableDomain} is broken, so that its answers cannot be trusted`;
    default:
      return connection.state === "verifying"
        ? `some DNS servers have the ${type} record at ${name}, others do not yet`
        : `there is no ${type} record at ${name}`;
  }
}

export interface CheckedRecords {
  readonly records: readonly RecordCheck[];
  /** The TXT record that is to prove ownership; null where it was not asked for. */
  readonly proof: OwnershipProof | null;
  /** A record that is not there yet is no fault. */
  readonly isEarly: boolean;
  readonly checkedAt: Date;
  /** When the service checks by itself; null when it does not. */
  readonly nextCheckAt: Date | null;
}

/**
 * Compares each desired record with DNS now; for a widget also ownership, until it is proven.
 * `isAdded`: the caller says that the records were added.
 */
export async function checkConnectionRecords(
  ctx: ServiceContext,
  id: string,
  { isAdded }: { readonly isAdded: boolean },
): Promise<CheckedRecords> {
  const connection = await ctx.read((tx) => requireConnection(ctx, tx, id));
  refuseArchived(connection);
  if (isAdded) await noteRecordsAdded(ctx, connection);
  const isWaitingForProof = connectionPhase(connection.state) === "ownership";
  const scope = { records: true, ownership: ctx.actor.kind === "widget" && isWaitingForProof };
  const by = auditSource(ctx);
  const checked = await checkNow(ctx.runtime, connection, ctx.signal, scope, by);
  const records = checked.check.records?.records ?? [];
  const { proof } = checked.check;
  // That a name resolves elsewhere is no fault while its move is prepared.
  const isHidden = isPreparing(checked.connection);
  return {
    records: records.filter(
      ({ record }) => !isHidden || isValidationRecord(connection.hostname, record),
    ),
    proof: proof?.method === "txt" ? proof : null,
    checkedAt: ctx.now(),
    ...(await ctx.read(async (tx) => ({
      isEarly: await isEarly(tx, checked.connection, ctx.now()),
      nextCheckAt: await selectDueAt(tx, id),
    }))),
  };
}
