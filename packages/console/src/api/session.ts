import { ApiError, Mooring, type Session } from "@mooring/sdk";
import { queryOptions } from "@tanstack/react-query";

/** What a person may do, from least to most; each role may do what those before it may. */
export const roles = ["viewer", "support", "developer", "admin", "owner"] as const;
export type Role = NonNullable<Session["role"]>;

export type Environment = "test" | "live";

/** The session of a person of a tenant; an operator's has neither tenant nor role. */
export interface MemberSession extends Session {
  readonly tenant: NonNullable<Session["tenant"]>;
  readonly role: Role;
}

export function isMemberSession(session: Session): session is MemberSession {
  return session.tenant !== null && session.role !== null;
}

/** Null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  staleTime: 60_000,
  queryFn: ({ signal }) => fetchSession(signal),
});

async function fetchSession(signal: AbortSignal): Promise<Session | null> {
  const api = new Mooring({
    baseUrl: globalThis.location.origin,
    session: { environment: "live" },
  });
  try {
    return await api.sessions.current({ signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export function mayAct(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}
