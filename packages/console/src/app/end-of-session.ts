import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { signedOutEvent } from "../api/query-client.ts";
import { sessionQuery } from "../api/session.ts";

/** Tabs of this browser tell each other when a session has ended. */
const channelName = "mooring:session";

export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage("ended");
  channel.close();
}

/**
 * When a call is refused for want of a session, or another tab says so, everything that was read is
 * forgotten and the sign-in page is shown, with the way back.
 */
export function useEndOfSession(): void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { state, latestLocation } = useRouter();
  useEffect(() => {
    const end = () => {
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, null);
      if (state.location.pathname.endsWith("/sign-in")) return;
      void navigate({ to: "/sign-in", search: { next: latestLocation.href } });
    };
    const onSignedOut = () => {
      tellOtherTabs();
      end();
    };
    const channel = new BroadcastChannel(channelName);
    channel.addEventListener("message", end);
    globalThis.addEventListener(signedOutEvent, onSignedOut);
    return () => {
      channel.close();
      globalThis.removeEventListener(signedOutEvent, onSignedOut);
    };
  }, [queryClient, navigate, state, latestLocation]);
}
