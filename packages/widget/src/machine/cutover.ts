import type { ConnectionDetail, DomainCheck } from "@mooring/sdk";
import type { State } from "./state.ts";

type CutoverStatus = NonNullable<ConnectionDetail["cutover"]>["status"];

/** Where the move of a name that serves elsewhere is; null when there is none, or it is done. */
export function moveStatus(connection: ConnectionDetail | null): CutoverStatus | null {
  const status = connection?.cutover?.status ?? null;
  return status === "done" ? null : status;
}

/** Nothing was switched yet, and everything is there for it. */
export function canSwitch(connection: ConnectionDetail | null): boolean {
  const status = moveStatus(connection);
  return status === "ready" || status === "reverted";
}

/** What stands in the way of the switch; a difference of the origin can be accepted. */
export function findBlockers(connection: ConnectionDetail, acceptsOrigin: boolean) {
  return (connection.cutover?.checks ?? []).filter(
    ({ code, ok }) => !ok && !(code === "origin" && acceptsOrigin),
  );
}

/** Consent at the provider would write all records at once, so that it is no way to prepare. */
export function preparable(
  check: DomainCheck | null,
  connection: ConnectionDetail,
): DomainCheck | null {
  if (check === null || moveStatus(connection) === null) return check;
  const ways = check.guide.ways.filter((way) => way !== "domain_connect");
  return { ...check, guide: { ...check.guide, ways } };
}

/** A write to a prepared name is its switch. */
export function switched({
  connection,
  acceptsOrigin,
}: Pick<State, "connection" | "acceptsOrigin">): { readonly cutover?: readonly "origin"[] } {
  if (!canSwitch(connection)) return {};
  return { cutover: acceptsOrigin ? ["origin"] : [] };
}
