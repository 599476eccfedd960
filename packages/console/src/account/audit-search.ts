import { compact, readChoice, readText, type SearchRecord } from "../app/search-text.ts";

/** Who can be filtered for; the operator and the service itself have no id. */
export const actorKinds = ["member", "key", "token"] as const;

export interface AuditSearch {
  readonly action?: string;
  /** The kind of a thing and its id: both or neither. */
  readonly object?: string;
  readonly id?: string;
  /** The kind of an actor and its id: both or neither. */
  readonly actor?: (typeof actorKinds)[number];
  readonly by?: string;
  /** People only, unless all are asked for. */
  readonly who?: "all";
  /** Days, in the time zone of the person. */
  readonly from?: string;
  readonly to?: string;
  readonly cursor?: string;
}

export function readAuditSearch(search: SearchRecord): AuditSearch {
  const [object, id] = [readText(search, "object"), readText(search, "id")];
  const [actor, by] = [readChoice(search, "actor", actorKinds), readText(search, "by")];
  return {
    ...compact<AuditSearch>({
      action: readText(search, "action"),
      who: readChoice(search, "who", ["all"]),
      from: readDay(search, "from"),
      to: readDay(search, "to"),
      cursor: readText(search, "cursor"),
    }),
    ...(object === undefined || id === undefined ? {} : { object, id }),
    ...(actor === undefined || by === undefined ? {} : { actor, by }),
  };
}

/** `2026-11-18`, and nothing else. */
function readDay(search: SearchRecord, name: string): string | undefined {
  const text = readText(search, name);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text ?? "") && !Number.isNaN(Date.parse(text ?? ""));
  return isDay ? text : undefined;
}
