import { queryOptions } from "@tanstack/react-query";
import type { Workspace } from "../api/workspace.tsx";

export function keysQuery({ api, environment }: Workspace, applicationId: string) {
  return queryOptions({
    queryKey: [environment, "keys", applicationId],
    queryFn: ({ signal }) => api.keys.list(applicationId, { limit: 100 }, { signal }).toArray(),
  });
}

export function credentialsQuery({ api, environment }: Workspace, applicationId: string) {
  return queryOptions({
    queryKey: [environment, "credentials", applicationId],
    queryFn: ({ signal }) =>
      api.credentials.list(applicationId, { limit: 100 }, { signal }).toArray(),
  });
}
