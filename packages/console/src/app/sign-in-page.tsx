import { useMutation, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { hasPasskeys, signInWithPasskey } from "../api/passkeys.ts";
import { Icon } from "../ui/icon.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Note } from "../ui/status.tsx";
import { rememberReturn } from "./return-path.ts";
import "./sign-in-page.css";

/** How a person signs in. There are no passwords. */
export function SignInPage() {
  const { next } = useSearch({ from: "/sign-in" });
  useEffect(() => {
    if (next !== undefined) rememberReturn(next);
  }, [next]);
  return (
    <main className="sign-in">
      <section className="panel" aria-label="Sign in">
        <div className="body stack">
          <PageHeading>Sign in to Mooring</PageHeading>
          {next === undefined ? null : (
            <p className="muted">Afterwards you return to the page you came from.</p>
          )}
          <OtherWays />
          <p className="muted">
            Or open the sign-in link that you were given. An operator makes one with{" "}
            <code>mooring console link --tenant T --role R</code>; it works once, for 15 minutes.
          </p>
        </div>
      </section>
    </main>
  );
}

async function fetchWays(signal: AbortSignal): Promise<{ readonly oidc?: unknown }> {
  const response = await fetch("/console/sign-in.json", { signal });
  if (!response.ok) throw new Error(`the ways to sign in were answered with ${response.status}`);
  return response.json();
}

/** OpenID Connect where the operator has configured it, and the passkeys of this device. */
function OtherWays() {
  const { data } = useQuery({
    queryKey: ["ways"],
    queryFn: ({ signal }) => fetchWays(signal),
  });
  const passkey = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: (isSignedIn) => (isSignedIn ? globalThis.location.assign("/console/") : undefined),
  });
  const isRefused = passkey.isError || passkey.data === false;
  return (
    <>
      {data?.oidc === true ? (
        <a className="button primary" href="/console/oidc/start">
          Sign in with your organisation
        </a>
      ) : null}
      {hasPasskeys() ? (
        <button
          type="button"
          className="button"
          disabled={passkey.isPending}
          onClick={() => passkey.mutate()}
        >
          <Icon name="key" /> Sign in with a passkey
        </button>
      ) : null}
      {isRefused ? (
        <Note tone="bad">
          No passkey of this device is known here. Sign in by a link, then add one in the settings.
        </Note>
      ) : null}
    </>
  );
}
