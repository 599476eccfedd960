"use client";

// region button
import { open } from "@mooring/widget";
import { useState } from "react";

interface Session {
  readonly baseUrl: string;
  readonly applicationId: string;
  readonly token: string;
}

async function session(): Promise<Session> {
  const answer = await fetch("/svc-token");
  if (!answer.ok) throw new Error(`The token endpoint answered ${answer.status}.`);
  return answer.json();
}

export default function Settings() {
  const [live, setLive] = useState<string | null>(null);
  const connect = async () => {
    const { baseUrl, applicationId, token } = await session();
    open({
      baseUrl,
      applicationId,
      token,
      getToken: async () => (await session()).token,
      onSuccess: ({ domain }) => setLive(domain),
    });
  };
  return (
    <main>
      <h1>Your domain</h1>
      <button type="button" onClick={connect}>
        Connect a domain
      </button>
      <p role="status">{live === null ? "" : `${live} is live.`}</p>
    </main>
  );
}
// end region
