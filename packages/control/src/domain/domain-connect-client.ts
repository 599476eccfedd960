import type { DomainConnectSettings } from "@mooring/dns";

/**
 * What one DNS provider has given to this installation for its asynchronous flow. The API is the one
 * named at that time: a hostile zone may name another, and would be sent the secret.
 */
export interface DomainConnectClient {
  readonly providerId: string;
  readonly urlAPI: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The client for a zone's provider, when it is the very one that was set up and has the flow. */
export function clientFor(
  clients: readonly DomainConnectClient[],
  settings: Pick<DomainConnectSettings, "providerId" | "urlAPI" | "urlAsyncUX">,
): DomainConnectClient | null {
  if (settings.urlAsyncUX === null) return null;
  const found = clients.find(
    ({ providerId, urlAPI }) => providerId === settings.providerId && urlAPI === settings.urlAPI,
  );
  return found ?? null;
}
