import type { Mooring } from "@mooring/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { sessionQuery } from "../api/session.ts";
import { announceError } from "../ui/toast.tsx";
import { tellOtherTabs } from "./end-of-session.ts";

/** Ends the session at the API, forgets what was read, and tells the other tabs. */
export function useSignOut(api: Mooring): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    try {
      await api.sessions.end();
    } catch (error) {
      announceError(error);
      return;
    }
    tellOtherTabs();
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, null);
    await navigate({ to: "/sign-in", search: {} });
  };
}
