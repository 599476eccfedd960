import { open } from "@mooring/widget";
import { useCallback, useEffect, useState } from "react";
import { api, type Domain, type Session } from "./api.ts";

const refreshMs = 2_000;

/**
 * The settings page: the account's domains as the webhooks report them, and the widget to connect
 * one.
 */
export function Domains() {
  const [domains, setDomains] = useState<readonly Domain[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const refresh = useCallback(() => {
    api<readonly Domain[]>("domains").then(setDomains, (error: Error) => setProblem(error.message));
  }, []);
  useEffect(() => {
    refresh();
    const timer = setInterval(refresh, refreshMs);
    return () => clearInterval(timer);
  }, [refresh]);
  const connect = (connectionId?: string) => {
    setProblem(null);
    api<Session>("svc-token").then(
      (session) => openWidget(session, refresh, connectionId),
      (error: Error) => setProblem(error.message),
    );
  };
  const disconnect = (id: string) => {
    api(`domains/${id}`, "DELETE").then(refresh, (error: Error) => setProblem(error.message));
  };
  return (
    <section aria-labelledby="domains">
      <h2 id="domains">Your domains</h2>
      {domains.length === 0 ? <p>Your shop has no domain of its own yet.</p> : null}
      <ul>
        {domains.map(({ id, hostname, state }) => (
          <li key={id}>
            <strong>{hostname}</strong> <span className={`state ${state}`}>{labelOf(state)}</span>
            <button type="button" onClick={() => connect(id)}>
              Open
            </button>
            <button type="button" onClick={() => disconnect(id)}>
              Disconnect
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="primary" onClick={() => connect()}>
        Connect a domain
      </button>
      <p role="alert">{problem}</p>
    </section>
  );
}

function openWidget(session: Session, onChange: () => void, connectionId?: string): void {
  open({
    ...session,
    brandName: "Acme Shops",
    getToken: async () => (await api<Session>("svc-token")).token,
    onSuccess: onChange,
    onClose: onChange,
    ...(connectionId === undefined ? {} : { connectionId }),
  });
}

function labelOf(state: string): string {
  if (state === "live") return "Live";
  return state === "failed" || state === "drifted" ? "Needs attention" : "In progress";
}
