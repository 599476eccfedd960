import type { X509Certificate } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { baseName } from "@mooring/dns";
import { selectApplication } from "../../../db/queries/applications/applications.ts";
import { takeImported } from "../../../db/queries/certificates/imported-certificates.ts";
import { lockValidation } from "../../../db/queries/certificates/validation.ts";
import { lockConnection } from "../../../db/queries/connections/connections.ts";
import { requestRecheck } from "../../../db/queries/connections/due-connections.ts";
import { lockHostname } from "../../../db/queries/connections/hostname-locks.ts";
import type { Application } from "../../../domain/applications/application.ts";
import type { OwnCertificate } from "../../../domain/certificates/own-certificate.ts";
import { type Connection, holdsClaim } from "../../../domain/connections/connection.ts";
import { AppError, notFound } from "../../../domain/errors.ts";
import { ownershipChallenge } from "../../../domain/ownership/ownership-challenge.ts";
import { keepImported, serveImported } from "../../certificates/imported.ts";
import { insertOrResume, prepareConnection } from "../../connections/create.ts";
import { lockNames, requireTarget } from "../../connections/update.ts";
import { audit, createContext, type ServiceContext } from "../../context.ts";
import type { Runtime } from "../../runtime.ts";
import { type ImportSettings, planRow, type RowPlan } from "./plan-row.ts";
import { collectRedirects, type KnownRedirects } from "./redirect.ts";
import type { ImportNext, ImportResult, ImportRow } from "./row.ts";
import { trustDns } from "./trust-dns.ts";

export interface ImportOptions {
  readonly applicationId: string;
  readonly roots: readonly X509Certificate[];
  readonly trustsDns: boolean;
  /** Without it nothing is written, and the results say what would be. */
  readonly applies: boolean;
  readonly onProgress?: (done: number) => void;
}

/**
 * DNS is asked for each row: enough in flight to be quick, few enough for the database and the
 * resolvers.
 */
const maxInFlight = 12;
const rowTimeoutMs = 30_000;
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

/**
 * Makes connections of the rows, each in a transaction of its own: an import that was interrupted
 * is continued by running it again. Those that redirect come last, when their targets are there.
 * Results are in the order of the rows.
 */
export async function importConnections(
  runtime: Runtime,
  rows: readonly ImportRow[],
  options: ImportOptions,
): Promise<readonly ImportResult[]> {
  const application = await findApplication(runtime, options.applicationId);
  const { tenantId, environment } = application;
  const actor = { kind: "command", tenantId, environment, scopes: [] } as const;
  const results = new Map<ImportRow, ImportResult>();
  const repeated = repeatsIn(rows);
  const importAll = (some: readonly ImportRow[], known: KnownRedirects): Promise<void> =>
    inParallel(some, async (row) => {
      const fault = row.fault ?? repeated.get(row) ?? null;
      const settings = { ...options, application, known };
      const result = await patiently(() => {
        const ctx = createContext(runtime, actor, rowTimeoutMs);
        return importRow(ctx, settings, { ...row, fault });
      });
      results.set(row, result);
      options.onProgress?.(results.size);
    });
  const isPlain = ({ redirect }: ImportRow): boolean => redirect === null;
  await importAll(rows.filter(isPlain), collectRedirects(rows, []));
  const known = collectRedirects(rows, [...results.values()]);
  await importAll(
    rows.filter((row) => !isPlain(row)),
    known,
  );
  return rows.flatMap((row) => results.get(row) ?? []);
}

/** Waits out a database that is busy or restarted, which the API reports to a request at once. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await delay(pauseMs);
    }
  }
  return work();
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === "unavailable";
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  // One iterator for all: each takes what the others have left.
  const left = items.values();
  const workers = Array.from({ length: maxInFlight }, async () => {
    for (const item of left) await work(item);
  });
  await Promise.all(workers);
}

async function findApplication(runtime: Runtime, id: string): Promise<Application> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  const found = isId ? await runtime.system((tx) => selectApplication(tx, id)) : null;
  if (found === null) throw notFound("application");
  return found;
}

/** A name that is in the source twice is imported once; the later rows are refused. */
function repeatsIn(rows: readonly ImportRow[]): ReadonlyMap<ImportRow, string> {
  const first = new Map<string, string>();
  const repeated = new Map<ImportRow, string>();
  for (const row of rows) {
    if (row.fault !== null) continue;
    const name = row.hostname.toLowerCase().replace(/\.$/, "");
    const location = first.get(name);
    if (location === undefined) first.set(name, row.location);
    else repeated.set(row, `the same hostname is at ${location}`);
  }
  return repeated;
}

type RowSettings = ImportSettings & Pick<ImportOptions, "applies">;

async function importRow(
  ctx: ServiceContext,
  settings: RowSettings,
  row: ImportRow,
): Promise<ImportResult> {
  if (row.fault !== null) return refused(row, row.fault);
  try {
    const plan = await planRow(ctx, settings, row);
    const connection = settings.applies
      ? await carryOut(ctx, settings, row, plan)
      : (plan.existing ?? null);
    return toResult(row, plan, connection, settings);
  } catch (error) {
    // An unavailable database stops the import; what is wrong with a row does not.
    if (!(error instanceof AppError) || isUnavailable(error)) throw error;
    return refused(row, error.message);
  }
}

function refused({ location, hostname, customerRef }: ImportRow, reason: string): ImportResult {
  const nothing = { next: null, certificateEnds: null, connectionId: null, challenge: null };
  return {
    location,
    hostname,
    customerRef,
    action: "refuse",
    reason,
    redirectTo: null,
    ...nothing,
  };
}

function carryOut(
  ctx: ServiceContext,
  settings: RowSettings,
  row: ImportRow,
  plan: RowPlan,
): Promise<Connection | null> {
  const { existing } = plan;
  const trusted = async (connection: Connection): Promise<Connection> =>
    settings.trustsDns && plan.resolvesToUs ? trustDns(ctx, connection) : connection;
  if (existing === null) return create(ctx, settings, row, plan).then(trusted);
  if (/^(add|replace)_certificate$/.test(plan.action) && plan.certificate !== null) {
    return addCertificate(ctx, existing, plan.certificate).then(trusted);
  }
  return plan.action === "trust" ? trusted(existing) : Promise.resolve(existing);
}

/** The connection and its certificate in one transaction. */
async function create(
  ctx: ServiceContext,
  { application }: RowSettings,
  { customerRef }: ImportRow,
  { hostname, certificate, cutover, redirectTo }: RowPlan,
): Promise<Connection> {
  const prepared = await prepareConnection(ctx, application, hostname, { customerRef, cutover });
  return ctx.write(async (tx) => {
    await lockValidation(tx, baseName(hostname));
    await lockNames(tx, [hostname, redirectTo ?? hostname]);
    if (redirectTo !== null) await requireTarget(tx, prepared, redirectTo);
    const { connection, resumed } = await insertOrResume(
      ctx,
      tx,
      { ...prepared, redirectTo },
      null,
    );
    if (certificate !== null && !resumed) {
      await keepImported(ctx.runtime, tx, connection, certificate, ctx.now());
      await noteCertificate(ctx, tx, connection, certificate);
    }
    return connection;
  });
}

type Tx = Parameters<typeof audit>[1];

async function noteCertificate(
  ctx: ServiceContext,
  tx: Tx,
  { id }: Connection,
  { fingerprint, ca, notAfter }: OwnCertificate,
): Promise<void> {
  const details = { fingerprint, ca, not_after: notAfter.toISOString() };
  await audit(ctx, tx, "connection.certificate_import", id, details);
}

/** Served at once where the ownership is proven. */
function addCertificate(
  ctx: ServiceContext,
  { id, hostname }: Connection,
  certificate: OwnCertificate,
): Promise<Connection> {
  const { runtime } = ctx;
  return runtime.system(async (tx) => {
    await lockHostname(tx, hostname);
    const connection = await lockConnection(tx, id);
    if (!connection) throw notFound("connection");
    // One that waits here has expired meanwhile, or ends sooner.
    await takeImported(tx, id);
    await keepImported(runtime, tx, connection, certificate, ctx.now());
    await noteCertificate(ctx, tx, connection, certificate);
    if (holdsClaim(connection.state)) await serveImported(runtime, tx, connection, ctx.now());
    await requestRecheck(tx, id, ctx.now());
    return connection;
  });
}

function toResult(
  { location, customerRef }: ImportRow,
  plan: RowPlan,
  connection: Connection | null,
  { trustsDns, applies }: RowSettings,
): ImportResult {
  const isOpen = connection !== null && !holdsClaim(connection.state) && plan.action !== "differs";
  return {
    location,
    hostname: plan.hostname,
    customerRef,
    action: isOpen && applies && plan.action === "trust" ? "keep" : plan.action,
    reason: plan.reason,
    redirectTo: plan.redirectTo,
    next: plan.action === "create" ? nextStep(plan, connection, trustsDns) : null,
    certificateEnds: plan.certificate?.notAfter ?? null,
    connectionId: connection?.id ?? null,
    challenge: isOpen ? ownershipChallenge(connection) : null,
  };
}

function nextStep(plan: RowPlan, made: Connection | null, trustsDns: boolean): ImportNext {
  const isProven = made === null ? trustsDns && plan.resolvesToUs : holdsClaim(made.state);
  if (isProven) return "live";
  if (plan.resolvesToUs) return "proof_then_live";
  return plan.cutover === null ? "proof_then_records" : "proof_then_switch";
}
