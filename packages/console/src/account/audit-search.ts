import { choiceOf, compact, type SearchRecord, textOf } from "../app/search-text.ts";

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
  const [object, id] = [textOf(search, "object"), textOf(search, "id")];
  const [actor, by] = [choiceOf(search, "actor", actorKinds), textOf(search, "by")];
  return {
    ...compact<AuditSearch>({ action: textOf(search, "action"), cursor: textOf(search, "cursor") }),
    ...(object === undefined || id === undefined ? {} : { object, id }),
    ...(actor === undefined || by === undefined ? {} : { actor, by }),
  };
}
