import { queryOptions } from "@tanstack/react-query";
import type { Workspace } from "../api/workspace.tsx";
import type { AuditSearch } from "./audit-search.ts";

/** Members and sessions belong to the tenant, so their keys name no environment. */
export function membersQuery({ api }: Workspace) {
  return queryOptions({
    queryKey: ["members"],
    queryFn: ({ signal }) => api.members.list({ limit: 100 }, { signal }).toArray(),
  });
}

export function sessionsQuery({ api }: Workspace) {
  return queryOptions({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => api.sessions.list({ limit: 100 }, { signal }).toArray(),
  });
}

export function passkeysQuery({ api }: Workspace) {
  return queryOptions({
    queryKey: ["passkeys"],
    queryFn: async ({ signal }) => (await api.passkeys.list({ signal })).data,
  });
}

export function auditQuery({ api, environment }: Workspace, search: AuditSearch) {
  const { action, object, id, actor, by, who, from, to, cursor } = search;
  // What happened to one thing is shown with every actor.
  const isPeopleOnly = who === undefined && id === undefined;
  const query = {
    limit: 50,
    ...(action === undefined ? {} : { action }),
    ...(object === undefined || id === undefined ? {} : { object, object_id: id }),
    ...(actor !== undefined && by !== undefined
      ? { actor_kind: actor, actor_id: by }
      : isPeopleOnly
        ? { actor_kind: "member" as const }
        : {}),
    ...(from === undefined ? {} : { since: startOfDay(from, 0) }),
    ...(to === undefined ? {} : { until: startOfDay(to, 1) }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  return queryOptions({
    queryKey: [environment, "audit", query],
    queryFn: ({ signal }) => api.audit.list(query, { signal }).page(),
  });
}

/** The first moment of a day where the person is, or of a later one. */
function startOfDay(day: string, later: number): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}
