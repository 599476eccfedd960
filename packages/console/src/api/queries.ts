import type { Connection, ConnectionState, ListedConnection } from "@mooring/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { DomainSearch } from "../domains/domain-search.ts";
import type { Workspace } from "./workspace.tsx";

/**
 * What the console reads. Keys begin with the environment and the noun, so that an event of one
 * noun makes exactly its queries stale.
 */
export const pageSize = 50;

export function connectionsQuery({ api, environment }: Workspace, search: DomainSearch) {
  const { application, error, customer, ends, ...rest } = search;
  const query = {
    ...rest,
    ...(application === undefined ? {} : { application_id: application }),
    ...(error === undefined ? {} : { error_code: asErrorCode(error) }),
    ...(customer === undefined ? {} : { customer_ref: customer }),
    ...(ends === undefined ? {} : { registration_ends_within: Number(ends) }),
    limit: pageSize,
  };
  return queryOptions({
    queryKey: [environment, "connections", query],
    queryFn: ({ signal }) => api.connections.list(query, { signal }).page(),
  });
}

/** Any text of an address: the API refuses what is no code of its own, and the page shows that. */
function asErrorCode(text: string): NonNullable<Connection["error_code"]> {
  return text as NonNullable<Connection["error_code"]>;
}

export function connectionQuery({ api, environment }: Workspace, id: string) {
  return queryOptions({
    queryKey: [environment, "connection", id],
    queryFn: ({ signal }) => api.connections.get(id, { signal }),
    // Not every step on the way is an event. Hidden tabs do not ask.
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isOnTheWay(data.state) ? 5_000 : false,
  });
}

function isOnTheWay(state: ConnectionState): boolean {
  return !["live", "drifted", "failed", "archived"].includes(state);
}

/** The row of a list, which says since when the state holds and when the next check is. */
export function listedConnectionQuery(
  { api, environment }: Workspace,
  { id, hostname }: Pick<Connection, "id" | "hostname">,
) {
  return queryOptions({
    queryKey: [environment, "connections", "row", id],
    queryFn: async ({ signal }) => {
      for await (const row of api.connections.list({ hostname, limit: 100 }, { signal })) {
        if (row.id === id) return row;
      }
      return null;
    },
  });
}

/**
 * Asks DNS: not repeated when the window gets the focus. Lists show its headline from now on, those
 * that were read before too.
 */
export function diagnosisQuery({ api, environment }: Workspace, id: string) {
  return queryOptions({
    queryKey: [environment, "diagnosis", id],
    queryFn: async ({ signal, client }) => {
      const query = { params: { id } };
      const diagnosis = await api.call("get_connections_id_diagnosis", query, { signal });
      // At once in what was read before; then what it changes of counts and filters is read again.
      client.setQueriesData<unknown>({ queryKey: [environment, "connections"] }, (known: unknown) =>
        withHeadline(known, id, diagnosis.headline ?? null),
      );
      for (const noun of ["connections", "summary"]) {
        void client.invalidateQueries({ queryKey: [environment, noun] });
      }
      return diagnosis;
    },
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  });
}

/** The same page or row of a list, with another summary of one connection. */
export function withHeadline(
  known: unknown,
  id: string,
  summary: ListedConnection["summary"],
): unknown {
  if (typeof known !== "object" || known === null) return known;
  if ("id" in known && known.id === id && "summary" in known) return { ...known, summary };
  if (!("data" in known) || !Array.isArray(known.data)) return known;
  return { ...known, data: known.data.map((row) => withHeadline(row, id, summary)) };
}

const timelineKinds = [
  "state",
  "check",
  "write",
  "certificate",
  "delivery",
  "visit",
  "action",
] as const;

/** Below the timeline's key, so that what makes one stale does it for both. */
export function certificateHistoryQuery({ api, environment }: Workspace, id: string) {
  return queryOptions({
    queryKey: [environment, "timeline", id, "certificate"],
    queryFn: ({ signal }) =>
      api.connections.events(id, { kind: "certificate", limit: 20 }, { signal }).page(),
  });
}

export function timelineQuery({ api, environment }: Workspace, id: string) {
  return infiniteQueryOptions({
    queryKey: [environment, "timeline", id, "all"],
    queryFn: ({ signal, pageParam }) =>
      api.connections
        .events(
          id,
          {
            limit: 30,
            kind: [...timelineKinds],
            ...(pageParam === null ? {} : { cursor: pageParam }),
          },
          { signal },
        )
        .page(),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function applicationsQuery({ api, environment }: Workspace) {
  return queryOptions({
    queryKey: [environment, "applications"],
    queryFn: ({ signal }) => api.applications.list({ limit: 100 }, { signal }).toArray(),
    staleTime: 60_000,
  });
}

export function applicationQuery({ api, environment }: Workspace, id: string) {
  return queryOptions({
    queryKey: [environment, "applications", id],
    queryFn: ({ signal }) => api.applications.get(id, { signal }),
  });
}

export function providersQuery({ api, environment }: Workspace) {
  return queryOptions({
    queryKey: [environment, "providers"],
    queryFn: ({ signal }) => api.providers.list({ signal }),
    staleTime: 300_000,
  });
}

export function endpointsQuery({ api, environment }: Workspace) {
  return queryOptions({
    queryKey: [environment, "endpoints"],
    queryFn: ({ signal }) => api.webhookEndpoints.list({ limit: 100 }, { signal }).toArray(),
  });
}

export function usageQuery({ api, environment }: Workspace, period: string | undefined) {
  const query = period === undefined ? {} : { period };
  return queryOptions({
    queryKey: [environment, "usage", period ?? "now"],
    queryFn: ({ signal }) => api.usage.get(query, { signal }),
  });
}

export function plansQuery({ api, environment }: Workspace) {
  return queryOptions({
    queryKey: [environment, "plans"],
    queryFn: ({ signal }) => api.plans.list({ signal }),
    staleTime: 300_000,
  });
}

export function subscriptionQuery({ api, environment }: Workspace) {
  return queryOptions({
    queryKey: [environment, "subscription"],
    queryFn: ({ signal }) => api.subscription.get({ signal }),
  });
}

export function summaryQuery({ api, environment }: Workspace) {
  return queryOptions({
    queryKey: [environment, "summary"],
    queryFn: ({ signal }) => api.connections.summary({ signal }),
    staleTime: 15_000,
  });
}

export function customersQuery(
  { api, environment }: Workspace,
  { q, cursor }: { readonly q: string; readonly cursor: string | undefined },
) {
  const query = {
    limit: pageSize,
    ...(q === "" ? {} : { q }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  return queryOptions({
    queryKey: [environment, "connections", "customers", query],
    queryFn: ({ signal }) => api.connections.customers(query, { signal }).page(),
  });
}

/** The links to one customer's page. */
export function statusLinksQuery({ api, environment }: Workspace, reference: string) {
  return queryOptions({
    queryKey: [environment, "status-links", reference],
    queryFn: ({ signal }) => api.statusLinks.list(reference, { signal }),
  });
}

/** The events of one customer's domains. */
export function customerEventsQuery({ api, environment }: Workspace, reference: string) {
  return infiniteQueryOptions({
    queryKey: [environment, "events", reference],
    queryFn: ({ signal, pageParam }) =>
      api.events
        .list(
          {
            customer_ref: reference,
            limit: 30,
            ...(pageParam === null ? {} : { cursor: pageParam }),
          },
          { signal },
        )
        .page(),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}
