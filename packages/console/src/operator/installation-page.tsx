import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PageHeading } from "../ui/page-heading.tsx";
import { Empty, Loading, Problem } from "../ui/status.tsx";
import { CertificateAuthorities } from "./certificate-authorities.tsx";
import { EdgeTable, ProviderTable, QueueTable } from "./installation-tables.tsx";
import {
  certificateAuthoritiesQuery,
  edgesQuery,
  providersHealthQuery,
  queuesQuery,
  useOperatorApi,
} from "./operator-queries.ts";

/** How the installation is, over all tenants: edges, queues, CAs and DNS providers. */
export function InstallationPage() {
  const api = useOperatorApi();
  return (
    <div className="stack">
      <header className="page-head">
        <div>
          <PageHeading>Installation</PageHeading>
          <p>Over all tenants. Shown again every 15 seconds.</p>
        </div>
      </header>
      <View
        title="Edges"
        about="Processes that reported within a day."
        none="No edge has reported within a day: nothing is served."
        query={edgesQuery(api)}
        show={(edges) => <EdgeTable edges={edges} />}
      />
      <View
        title="Queues"
        about="What is due and waits for a worker or an edge."
        none="Nothing is queued."
        query={queuesQuery(api)}
        show={(queues) => <QueueTable queues={queues} />}
      />
      <View
        title="Certificate authorities"
        about="What is left of their limits, and which names wait for them."
        none="No certificate was ordered yet."
        query={certificateAuthoritiesQuery(api)}
        show={(authorities) => <CertificateAuthorities authorities={authorities} />}
      />
      <View
        title="DNS providers"
        about="Credentials that stopped working, and connections that a provider refuses, delays or does not answer for."
        none="No tenant has a credential, and no provider is in trouble."
        query={providersHealthQuery(api)}
        show={(providers) => <ProviderTable providers={providers} />}
      />
    </div>
  );
}

interface ViewProps<T, K extends readonly unknown[]> {
  readonly title: string;
  readonly about: string;
  readonly none: string;
  readonly query: UseQueryOptions<readonly T[], Error, readonly T[], K>;
  readonly show: (rows: readonly T[]) => ReactNode;
}

function View<T, K extends readonly unknown[]>(props: ViewProps<T, K>) {
  const { title, about, none, show } = props;
  const { data, error, isPending, refetch } = useQuery(props.query);
  return (
    <section className="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{about}</p>
      </header>
      {isPending ? <Loading label={`Loading: ${title}`} /> : null}
      {error ? (
        <div className="body">
          <Problem error={error} onRetry={refetch} />
        </div>
      ) : null}
      {data?.length === 0 ? <Empty title={none} /> : null}
      {data === undefined || data.length === 0 ? null : show(data)}
    </section>
  );
}
