import { Mooring } from "@mooring/sdk";
import { queryOptions } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useMemo } from "react";

/** The client of an operator's session. It belongs to no tenant, and so to no environment. */
export function useOperatorApi(): Mooring {
  const { session } = useRouteContext({ from: "/operator" });
  return useMemo(
    () =>
      new Mooring({
        baseUrl: globalThis.location.origin,
        session: { csrfToken: session.csrf_token, environment: "live" },
      }),
    [session],
  );
}

/** The state of the installation changes without an event; hidden tabs do not ask. */
const refetchInterval = 15_000;

export function edgesQuery(api: Mooring) {
  return queryOptions({
    queryKey: ["operator", "edges"],
    queryFn: async ({ signal }) => (await api.operator.edges({ signal })).data,
    refetchInterval,
  });
}

export function queuesQuery(api: Mooring) {
  return queryOptions({
    queryKey: ["operator", "queues"],
    queryFn: async ({ signal }) => (await api.operator.queues({ signal })).data,
    refetchInterval,
  });
}

export function certificateAuthoritiesQuery(api: Mooring) {
  return queryOptions({
    queryKey: ["operator", "certificate-authorities"],
    queryFn: async ({ signal }) => (await api.operator.certificateAuthorities({ signal })).data,
    refetchInterval,
  });
}

export function providersHealthQuery(api: Mooring) {
  return queryOptions({
    queryKey: ["operator", "providers"],
    queryFn: async ({ signal }) => (await api.operator.providers({ signal })).data,
    refetchInterval,
  });
}

export interface TenantSearch {
  readonly q?: string;
  readonly cursor?: string;
}

export function tenantsQuery(api: Mooring, search: TenantSearch) {
  const query = { ...search, limit: 50 };
  return queryOptions({
    queryKey: ["operator", "tenants", query],
    queryFn: ({ signal }) => api.operator.tenants(query, { signal }).page(),
  });
}
