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
  readonly cursor?: string;
}

export function readAuditSearch(search: SearchRecord): AuditSearch {
  const [object, id] = [readText(search, "object"), readText(search, "id")];
  const [actor, by] = [readChoice(search, "actor", actorKinds), readText(search, "by")];
  return {
    ...compact<AuditSearch>({
      action: readText(search, "action"),
      cursor: readText(search, "cursor"),
    }),
    ...(object === undefined || id === undefined ? {} : { object, id }),
    ...(actor === undefined || by === undefined ? {} : { actor, by }),
  };
}
