import { ApiError } from "@mooring/sdk";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

/** The session ended: the page that asks who is signed in must be shown. */
export const signedOutEvent = "mooring:signed-out";

function reportEndOfSession(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) {
    globalThis.dispatchEvent(new Event(signedOutEvent));
  }
}

/** The SDK repeats what a repeat may help; a second layer of repeats would only delay the error. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: reportEndOfSession }),
  mutationCache: new MutationCache({ onError: reportEndOfSession }),
  defaultOptions: {
    // A request is made whatever the browser says of the network: it fails with words, and a
    // paused one would show a skeleton without end.
    queries: {
      retry: false,
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});
