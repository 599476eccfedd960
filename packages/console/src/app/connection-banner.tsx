import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { Note } from "../ui/status.tsx";

function subscribe(listener: () => void): () => void {
  globalThis.addEventListener("online", listener);
  globalThis.addEventListener("offline", listener);
  return () => {
    globalThis.removeEventListener("online", listener);
    globalThis.removeEventListener("offline", listener);
  };
}

/** Says that the network is away, and reads everything again when it is back. */
export function ConnectionBanner() {
  const queryClient = useQueryClient();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  useEffect(() => {
    if (isOnline) void queryClient.refetchQueries({ type: "active", stale: true });
  }, [isOnline, queryClient]);
  if (isOnline) return null;
  return (
    <div className="suspended" aria-label="Offline" role="status">
      <Note tone="wait">
        You are offline. What is shown may be old; it is read again when the network is back.
      </Note>
    </div>
  );
}
