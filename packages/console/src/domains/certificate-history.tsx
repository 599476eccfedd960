import type { ConnectionDetail } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { certificateHistoryQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { Ago } from "../ui/time.tsx";
import { entryDetails, entryTitle } from "./timeline/timeline-text.ts";

/** The certificates that were issued, and what was in the way of others; newest first. */
export function CertificateHistory({ connection }: { readonly connection: ConnectionDetail }) {
  const { data } = useQuery(certificateHistoryQuery(useWorkspace(), connection.id));
  if (data === undefined || data.data.length === 0) return null;
  return (
    <details className="body history">
      <summary>History</summary>
      <ol aria-label="History of the certificate">
        {data.data.map((entry) => (
          <li key={entry.id}>
            <div className="spread">
              <span>{entryTitle(entry)}</span>
              <Ago at={entry.created_at} />
            </div>
            <p className="muted breakable">{entryDetails(entry)}</p>
          </li>
        ))}
      </ol>
    </details>
  );
}
