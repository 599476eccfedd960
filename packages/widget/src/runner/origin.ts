/**
 * A browser does not tell a page that the service refused its origin from a service that is away:
 * both are a failed fetch. The scripts of the service are for every origin, so they tell.
 */
export interface OriginCheck {
  /**
   * After a failed call: whether the service is there and this page's origin is what it refuses.
   */
  readonly isRefused: () => Promise<boolean>;
  /** A call was answered, so the origin is allowed. */
  readonly noteAnswer: () => void;
}

export interface OriginParts {
  readonly baseUrl: string;
  readonly pageOrigin: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

export function createOriginCheck({
  baseUrl,
  pageOrigin,
  fetch,
  signal,
}: OriginParts): OriginCheck {
  let isAllowed = new URL(baseUrl).origin === pageOrigin;
  return {
    noteAnswer() {
      isAllowed = true;
    },
    async isRefused() {
      if (isAllowed) return false;
      try {
        const options = { method: "HEAD", credentials: "omit", cache: "no-store", signal } as const;
        const response = await fetch(`${baseUrl}/sdk/v1/widget.js`, options);
        return response.ok;
      } catch {
        // The service cannot be reached at all.
        return false;
      }
    },
  };
}

/** For the developer of the page: what is missing, and the call that adds it. */
export function originHelp(baseUrl: string, applicationId: string, pageOrigin: string): string {
  const body = JSON.stringify({ add_allowed_origins: [pageOrigin] });
  return [
    `Svc.open: the application does not allow ${pageOrigin}. Add it to allowed_origins:`,
    `curl -X PATCH ${baseUrl}/v1/applications/${applicationId} -H "Authorization: Bearer $MOORING_API_KEY" -H "Content-Type: application/json" -d '${body}'`,
  ].join("\n");
}
