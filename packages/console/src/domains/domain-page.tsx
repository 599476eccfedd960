import type { ConnectionDetail } from "@mooring/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { connectionQuery, listedConnectionQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { RulesPanel } from "../rules/domain-rules-panel.tsx";
import { DomainTraffic } from "../traffic/traffic-panel.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Loading, Note, Problem } from "../ui/status.tsx";
import { Ago, At } from "../ui/time.tsx";
import { CertificatePanel } from "./certificate-panel.tsx";
import { CutoverPanel } from "./cutover-panel.tsx";
import { DiagnosisPanel } from "./diagnosis-panel.tsx";
import { DomainActions } from "./domain-actions.tsx";
import { FactsPanel } from "./facts-panel.tsx";
import { RecordsPanel } from "./records-panel.tsx";
import { ServingPanel } from "./serving-panel.tsx";
import { StateBadge } from "./state.tsx";
import { Timeline } from "./timeline/timeline.tsx";
import "./domain-page.css";

export function DomainPage() {
  const { id } = useParams({ from: "/$environment/domains/$id" });
  const workspace = useWorkspace();
  const { data, error, isPending, refetch } = useQuery(connectionQuery(workspace, id));
  if (isPending) return <Loading lines={10} label="Loading the domain" />;
  if (error) return <Problem error={error} onRetry={refetch} />;
  return <Domain connection={data} />;
}

/** Not every step of a connection is an event: what is diagnosed follows what is polled. */
function useFreshDiagnosis({ id, state, error_code }: ConnectionDetail): void {
  const { environment } = useWorkspace();
  const queryClient = useQueryClient();
  const step = `${state} ${error_code}`;
  const before = useRef(step);
  useEffect(() => {
    if (before.current === step) return;
    before.current = step;
    void queryClient.invalidateQueries({ queryKey: [environment, "diagnosis", id] });
  }, [environment, id, step, queryClient]);
}

function Domain({ connection }: { readonly connection: ConnectionDetail }) {
  const { environment } = useWorkspace();
  useFreshDiagnosis(connection);
  return (
    <div className="stack">
      <nav aria-label="Breadcrumb">
        <Link to="/$environment/domains" params={{ environment }} search={{}}>
          Domains
        </Link>
      </nav>
      <header className="page-head">
        <div className="stack-tight">
          <PageHeading>{connection.hostname}</PageHeading>
          <StatusLine connection={connection} />
        </div>
        <DomainActions connection={connection} />
      </header>
      <Contest connection={connection} />
      <DiagnosisPanel connection={connection} />
      <div className="domain-columns">
        <div className="stack">
          <RecordsPanel connection={connection} />
          <DomainTraffic connection={connection} />
          <Timeline connection={connection} />
        </div>
        <div className="stack">
          <CutoverPanel connection={connection} />
          <FactsPanel connection={connection} />
          <CertificatePanel connection={connection} />
          <ServingPanel connection={connection} />
          <RulesPanel connection={connection} />
        </div>
      </div>
    </div>
  );
}

function StatusLine({ connection }: { readonly connection: ConnectionDetail }) {
  const { data: row } = useQuery(listedConnectionQuery(useWorkspace(), connection));
  return (
    <p className="row">
      <StateBadge connection={connection} />
      {row === undefined || row === null ? null : (
        <>
          <span>
            for <Ago at={row.state_since} bare />
          </span>
          {row.last_checked_at === null ? null : (
            <span>
              checked <Ago at={row.last_checked_at} />
            </span>
          )}
          {row.next_check_at === null ? null : (
            <span>
              next check <Ago at={row.next_check_at} />
            </span>
          )}
        </>
      )}
    </p>
  );
}

function Contest({ connection }: { readonly connection: ConnectionDetail }) {
  const { contest } = connection;
  if (contest === null) return null;
  return (
    <Note tone="wait">
      Somebody else has proven that they own this name. It passes to them on{" "}
      <At at={contest.deadline} /> unless one of the records that prove it is seen before:{" "}
      {provingRecords(connection).map(({ host, type, value }) => (
        <span key={`${host} ${type}`}>
          {type} <code>{host}</code> with the value <code>{value}</code>{" "}
        </span>
      ))}
    </Note>
  );
}

/** Beside the TXT record a CNAME to the target proves, where it is the name's own. */
function provingRecords(connection: ConnectionDetail) {
  const { ownership_challenge, needed_records, hostname, target, wildcard } = connection;
  const { name: host, value } = ownership_challenge;
  const own = needed_records.filter(
    (one) => !wildcard && one.host === hostname && one.value === target,
  );
  return [...own, { host, type: "TXT", value }];
}
