import { ApiError, type WebhookEvent } from "@mooring/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { signedOutEvent } from "./query-client.ts";
import { useWorkspace } from "./workspace.tsx";

/** Lists change with every event of a busy tenant: they are read again at most so often. */
const listPauseMs = 2_000;

/** Reads again what an event has changed, as long as the console is open. */
export function useLiveUpdates(): void {
  const { api, environment } = useWorkspace();
  const queryClient = useQueryClient();
  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const makeStale = (...queryKey: string[]) =>
      void queryClient.invalidateQueries({ queryKey: [environment, ...queryKey] });
    const onEvent = ({ data }: WebhookEvent) => {
      if (data.connection !== null) {
        const { id } = data.connection;
        for (const noun of ["connection", "diagnosis", "timeline"]) makeStale(noun, id);
      }
      timer ??= setTimeout(() => {
        timer = null;
        for (const noun of ["connections", "summary", "deliveries", "events"]) makeStale(noun);
      }, listPauseMs);
    };
    const follow = async () => {
      for await (const event of api.events.stream({}, { signal: ending.signal })) onEvent(event);
    };
    // The stream opens itself again; what it throws is final, such as the end of the session.
    follow().catch((error: unknown) => {
      const isRefused = error instanceof ApiError && error.status === 401;
      if (isRefused) globalThis.dispatchEvent(new Event(signedOutEvent));
    });
    return () => {
      ending.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [api, environment, queryClient]);
}
