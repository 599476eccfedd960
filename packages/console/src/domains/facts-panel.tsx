import type { ConnectionDetail } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { applicationsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { Copy } from "../ui/copy.tsx";
import { At } from "../ui/time.tsx";
import { Customer } from "./domain-columns.tsx";
import { RegistrationFacts } from "./registration-facts.tsx";
import { words } from "./state-text.ts";

export function FactsPanel({ connection }: { readonly connection: ConnectionDetail }) {
  const workspace = useWorkspace();
  const { data: applications } = useQuery(applicationsQuery(workspace));
  const application = applications?.find(({ id }) => id === connection.application_id);
  return (
    <section className="panel" aria-label="Facts">
      <header>
        <h2>Facts</h2>
      </header>
      <dl className="facts body">
        <dt>Customer</dt>
        <dd>
          <Customer reference={connection.customer_ref} />
        </dd>
        <dt>Application</dt>
        <dd>
          <Link
            to="/$environment/applications/$id"
            params={{ environment: workspace.environment, id: connection.application_id }}
          >
            {application?.name ?? connection.application_id}
          </Link>
        </dd>
        <dt>DNS provider</dt>
        <dd>{connection.provider ?? "Not known"}</dd>
        {connection.proxied === null ? null : (
          <>
            <dt>Behind</dt>
            <dd>{words(connection.proxied.by)}</dd>
          </>
        )}
        <dt>Setup</dt>
        <dd>{words(connection.setup_type)}</dd>
        <dt>Kind</dt>
        <dd>{words(connection.kind)}</dd>
        <dt>Ownership</dt>
        <dd>
          {connection.ownership === null ? (
            "Not proven"
          ) : (
            <>
              {proofs[connection.ownership.method]}, <At at={connection.ownership.proven_at} />
            </>
          )}
        </dd>
        <dt>Target</dt>
        <dd>
          <Copy text={connection.target} label="the target" />
        </dd>
        <RegistrationFacts registration={connection.registration} />
        <dt>Created</dt>
        <dd>
          <At at={connection.created_at} />
        </dd>
        <dt>Id</dt>
        <dd>
          <Copy text={connection.id} label="the id" />
        </dd>
        {connection.batch_id === null ? null : (
          <>
            <dt>Batch</dt>
            <dd>
              <Copy text={connection.batch_id} label="the batch's id" />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

type Method = NonNullable<ConnectionDetail["ownership"]>["method"];

const proofs: Readonly<Record<Method, string>> = {
  txt: "By its TXT record",
  cname: "By its CNAME to the target",
  delegation: "By the CNAME for validation",
  import: "Taken over by an import",
  trust_dns: "By DNS that leads here",
};
