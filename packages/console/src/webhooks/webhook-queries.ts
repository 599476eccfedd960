import { queryOptions } from "@tanstack/react-query";
import type { Workspace } from "../api/workspace.tsx";
import type { DeliverySearch } from "./delivery-search.ts";

export function endpointQuery({ api, environment }: Workspace, id: string) {
  return queryOptions({
    queryKey: [environment, "endpoints", id],
    queryFn: ({ signal }) => api.webhookEndpoints.get(id, { signal }),
  });
}

export function deliveriesQuery(
  { api, environment }: Workspace,
  search: DeliverySearch,
  limit = 50,
) {
  const { endpoint, connection, domain, type, ...rest } = search;
  const query = {
    ...rest,
    ...(endpoint === undefined ? {} : { endpoint_id: endpoint }),
    ...(connection === undefined ? {} : { connection_id: connection }),
    ...(domain === undefined ? {} : { hostname: domain }),
    ...(type === undefined ? {} : { event_type: type }),
    limit,
  };
  return queryOptions({
    queryKey: [environment, "deliveries", query],
    queryFn: ({ signal }) => api.deliveries.list(query, { signal }).page(),
  });
}

export function deliveryQuery({ api, environment }: Workspace, id: string) {
  return queryOptions({
    queryKey: [environment, "deliveries", id],
    queryFn: ({ signal }) => api.deliveries.get(id, { signal }),
  });
}
