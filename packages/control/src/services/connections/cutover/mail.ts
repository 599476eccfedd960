import { isSpf, type Resolver, withoutCaches } from "@mooring/dns";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { CutoverFact } from "../../../domain/connections/cutover.ts";

/** A CNAME replaces everything else at its name: mail that is received there would be lost. */
export async function observeMail(
  input: Resolver,
  { hostname, desiredRecords }: Connection,
  signal: AbortSignal,
): Promise<CutoverFact> {
  const hasAlias = desiredRecords.some(({ host, type }) => host === hostname && type === "CNAME");
  const fine = { ok: true, message: "The switch touches no mail records." };
  if (!hasAlias) return fine;
  const resolver = withoutCaches(input);
  const [mx, txt] = await Promise.all([
    resolver.resolve(hostname, "MX", signal),
    resolver.resolve(hostname, "TXT", signal),
  ]);
  const hasMx = mx.outcome === "records" && mx.chain.length === 0;
  const hasSpf =
    txt.outcome === "records" &&
    txt.chain.length === 0 &&
    txt.records.some(({ value }) => isSpf(value));
  if (!hasMx && !hasSpf) return fine;
  const what = [hasMx ? "MX" : null, hasSpf ? "SPF" : null].filter((one) => one !== null);
  const message = `${hostname} has ${what.join(" and ")} records, which a CNAME would replace.`;
  return { ok: false, message };
}
