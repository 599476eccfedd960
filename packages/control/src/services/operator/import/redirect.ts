import {
  isRedirectTarget,
  usesOfHostname,
} from "../../../db/queries/connections/connection-settings.ts";
import { AppError } from "../../../domain/errors.ts";
import type { ServiceContext } from "../../context.ts";
import { requireHostname } from "../../domains/hostname.ts";
import type { ImportResult, ImportRow } from "./row.ts";

/**
 * What becomes of a row's redirect: where the connection sends its visitors, and what is to be said
 * of it.
 */
export interface RowRedirect {
  readonly to: string | null;
  readonly note: string | null;
}

/** The status that the edge redirects with. */
const edgeStatusCode = 308;

/** What the rows of an import are to the redirects among them. */
export interface KnownRedirects {
  /** There after the rows without a redirect, by `targetKey`. */
  readonly targets: ReadonlySet<string>;
  /** Names that redirect in the source: redirects have one step here, so nobody is sent to them. */
  readonly redirecting: ReadonlySet<string>;
}

/** Rows with a redirect come after the others, whose results say which targets there are. */
export function collectRedirects(
  rows: readonly ImportRow[],
  results: readonly ImportResult[],
): KnownRedirects {
  const there = results.filter(({ action }) => action !== "refuse" && action !== "differs");
  const redirecting = rows.filter(({ redirect }) => redirect !== null);
  return {
    targets: new Set(there.map(targetKey)),
    redirecting: new Set(redirecting.map(({ hostname }) => plain(hostname))),
  };
}

function targetKey({ hostname, customerRef }: Pick<ImportRow, "hostname" | "customerRef">): string {
  return JSON.stringify([hostname, customerRef]);
}

function plain(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, "");
}

interface Redirecting {
  readonly applicationId: string;
  readonly hostname: string;
  readonly customerRef: string | null;
}

/**
 * Where the redirect of a row goes; a redirect that we do not have is left out, and the note says
 * why.
 */
export async function planRedirect(
  ctx: ServiceContext,
  { redirect }: ImportRow,
  from: Redirecting,
  known: KnownRedirects,
): Promise<RowRedirect> {
  if (redirect === null) return { to: null, note: null };
  const target = parseTarget(ctx, redirect.to);
  const obstacle =
    target === null ? "which is no hostname" : await refusal(ctx, from, target, known);
  if (target === null || obstacle !== null) {
    return { to: null, note: `without its redirect to ${redirect.to}, ${obstacle}` };
  }
  const { statusCode } = redirect;
  const isSame = statusCode === null || statusCode === edgeStatusCode;
  const note = isSame ? null : `redirects with ${edgeStatusCode}, and with ${statusCode} before`;
  return { to: target, note };
}

function parseTarget({ runtime, actor }: ServiceContext, spelling: string): string | null {
  try {
    return requireHostname(runtime.config, actor.environment, spelling, "redirect");
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Why nobody can be sent there; null when they can. */
async function refusal(
  ctx: ServiceContext,
  from: Redirecting,
  target: string,
  { targets, redirecting }: KnownRedirects,
): Promise<string | null> {
  if (target === from.hostname) return "which is itself";
  if (redirecting.has(target)) return "which redirects itself";
  const named = { ...from, hostname: target };
  return ctx.read(async (tx) => {
    const uses = await usesOfHostname(tx, named);
    if (uses.some(({ redirectTo }) => redirectTo !== null)) return "which redirects itself";
    if (await isRedirectTarget(tx, from)) return "since other names redirect to it";
    const isThere = uses.length > 0 || targets.has(targetKey(named));
    return isThere ? null : "which is not connected to this application";
  });
}
