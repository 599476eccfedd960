import { useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { PageHeading } from "../ui/page-heading.tsx";
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
          <p className="muted">
            Open the sign-in link that you were given. An operator makes one with{" "}
            <code>mooring console link --tenant T --role R</code>; it works once, for 15 minutes.
          </p>
        </div>
      </section>
    </main>
  );
}
