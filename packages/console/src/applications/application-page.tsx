import type { Application } from "@mooring/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { applicationQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { ApplicationTraffic } from "../traffic/traffic-panel.tsx";
import { ConfirmButton } from "../ui/confirm.tsx";
import { Copy } from "../ui/copy.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Loading, Problem } from "../ui/status.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { type ApplicationTab, applicationTabs } from "./application-tabs.ts";
import { BrandPanel } from "./brand-panel.tsx";
import { CredentialsPanel } from "./credentials-panel.tsx";
import { EdgePanel } from "./edge-panel.tsx";
import { KeysPanel } from "./keys-panel.tsx";
import { OriginsPanel } from "./origins-panel.tsx";
import { RulesPanel } from "./rules-panel.tsx";
import { TemplatePanel } from "./template-panel.tsx";
import "./applications.css";

const route = "/$environment/applications/$id";

export function ApplicationPage() {
  const { id } = useParams({ from: route });
  const { data, error, isPending, refetch } = useQuery(applicationQuery(useWorkspace(), id));
  if (isPending) return <Loading lines={8} label="Loading the application" />;
  if (error) return <Problem error={error} onRetry={refetch} />;
  return <ApplicationView application={data} />;
}

interface Props {
  readonly application: Application;
}

function ApplicationView({ application }: Props) {
  const { environment, may } = useWorkspace();
  const { tab = "origins" } = useSearch({ from: route });
  return (
    <div className="stack">
      <nav aria-label="Breadcrumb">
        <Link to="/$environment/applications" params={{ environment }}>
          Applications
        </Link>
      </nav>
      <header className="page-head">
        <div>
          <PageHeading>{application.name}</PageHeading>
          <p>
            <Copy text={application.id} label="the id" />
          </p>
        </div>
        {may("owner") ? <DeleteApplication application={application} /> : null}
      </header>
      <Tabs label="Parts of the application" current={tab}>
        {applicationTabs.map(([id, name]) => (
          <Link
            key={id}
            to={route}
            params={{ environment, id: application.id }}
            search={id === "origins" ? {} : { tab: id }}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={id === tab ? "page" : undefined}
          >
            {name}
          </Link>
        ))}
      </Tabs>
      <Tab tab={tab} application={application} />
    </div>
  );
}

function Tab({ tab, application }: Props & { readonly tab: ApplicationTab }) {
  switch (tab) {
    case "origins":
      return <OriginsPanel application={application} />;
    case "widget":
      return <BrandPanel application={application} />;
    case "records":
      return <TemplatePanel application={application} />;
    case "edge":
      return (
        <div className="stack">
          <EdgePanel application={application} />
          <RulesPanel application={application} />
        </div>
      );
    case "traffic":
      return <ApplicationTraffic id={application.id} />;
    case "keys":
      return <KeysPanel application={application} />;
    case "credentials":
      return <CredentialsPanel application={application} />;
  }
}

function DeleteApplication({ application }: Props) {
  const { api, environment } = useWorkspace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const run = async () => {
    await api.applications.delete(application.id);
    await navigate({ to: "/$environment/applications", params: { environment } });
    await queryClient.invalidateQueries({ queryKey: [environment, "applications"] });
  };
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete ${application.name}?`}
      description="Its keys are revoked and its webhook endpoints deleted. It is refused while it has domains that are not archived."
      action="Delete"
      run={run}
    />
  );
}
