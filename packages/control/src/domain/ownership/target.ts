import { isAtOrBelow } from "@mooring/dns/lookup";
import type { Connection } from "../connections/connection.ts";

/** The name that the connection's CNAME may point to alone; null where the edge's is shared. */
export function ownTarget(
  edgeCname: string,
  { targetLabel }: Pick<Connection, "targetLabel">,
): string | null {
  return targetLabel === null ? null : `${targetLabel}.${edgeCname}`;
}

/** What the connection's records name: its own target, or the name that all share. */
export function desiredTarget(
  edgeCname: string,
  connection: Pick<Connection, "targetLabel" | "pointsToTarget">,
): string {
  const own = connection.pointsToTarget ? ownTarget(edgeCname, connection) : null;
  return own ?? edgeCname;
}

/** The names at which a connection is right with us. */
export function acceptedNames(
  edgeCname: string,
  connection: Pick<Connection, "targetLabel">,
): readonly string[] {
  const own = ownTarget(edgeCname, connection);
  return own === null ? [edgeCname] : [edgeCname, own];
}

/** Whether a name is the edge's or a target below it, whosever. */
export function isEdgeName(edgeCname: string, name: string): boolean {
  return isAtOrBelow(name, edgeCname);
}

const targetLabel = /^[a-z2-7]{26}$/;

/** Whether a name has the form of a connection's own target. */
export function isTargetName(edgeCname: string, name: string): boolean {
  const cut = name.indexOf(".");
  return targetLabel.test(name.slice(0, cut)) && name.slice(cut + 1) === edgeCname;
}

/** Whether a CNAME with this value routes to us for the sake of another connection. */
export function isTargetOfAnother(
  edgeCname: string,
  connection: Pick<Connection, "targetLabel">,
  value: string,
): boolean {
  return (
    connection.targetLabel !== null &&
    isEdgeName(edgeCname, value) &&
    !acceptedNames(edgeCname, connection).includes(value)
  );
}
