import type { WebhookEndpoint } from "@mooring/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { ConfirmButton } from "../ui/confirm.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { SecretOnce } from "../ui/secret-once.tsx";
import { Loading, Problem } from "../ui/status.tsx";
import { announce, announceError } from "../ui/toast.tsx";
import { DeliveryHealth } from "./delivery-health.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { EditEndpointButton } from "./edit-endpoint.tsx";
import { formatNames } from "./format-choice.tsx";
import { ReplayButton } from "./replay.tsx";
import { endpointQuery } from "./webhook-queries.ts";
import { ApplicationName, EndpointBadge } from "./webhooks-page.tsx";
import "./webhooks.css";

export function EndpointPage() {
  const { id } = useParams({ from: "/$environment/webhooks/$id" });
  const { data, error, isPending, refetch } = useQuery(endpointQuery(useWorkspace(), id));
  if (isPending) return <Loading lines={8} label="Loading the endpoint" />;
  if (error) return <Problem error={error} onRetry={refetch} />;
  return <Endpoint endpoint={data} />;
}

interface Props {
  readonly endpoint: WebhookEndpoint;
}

function Endpoint({ endpoint }: Props) {
  const { environment } = useWorkspace();
  return (
    <div className="stack">
      <nav aria-label="Breadcrumb">
        <Link to="/$environment/webhooks" params={{ environment }}>
          Webhooks
        </Link>
      </nav>
      <header className="page-head">
        <div>
          <PageHeading>{endpoint.url}</PageHeading>
          <p className="row">
            <EndpointBadge endpoint={endpoint} />
            <ApplicationName id={endpoint.application_id} />
            {endpoint.format === "standard" ? null : (
              <span className="badge">{formatNames[endpoint.format]}</span>
            )}
          </p>
        </div>
        <EndpointActions endpoint={endpoint} />
      </header>
      <DeliveryHealth endpointId={endpoint.id} />
      <section className="panel" aria-label="Events">
        <header>
          <h2>Events</h2>
        </header>
        <p className="body row">
          {endpoint.events.map((type) => (
            <code key={type} className="badge">
              {type === "*" ? "all" : type}
            </code>
          ))}
        </p>
      </section>
      <DeliveryPanel
        search={{ endpoint: endpoint.id }}
        header={
          <header>
            <h2>Deliveries</h2>
            <Link
              to="/$environment/webhooks/deliveries"
              params={{ environment }}
              search={{ endpoint: endpoint.id }}
            >
              Filter them
            </Link>
          </header>
        }
      />
    </div>
  );
}

function EndpointActions({ endpoint }: Props) {
  const { may } = useWorkspace();
  return (
    <div className="row">
      {may("support") ? <ReplayButton endpoint={endpoint} /> : null}
      {may("developer") ? (
        <>
          <SendTest endpoint={endpoint} />
          <EditEndpointButton endpoint={endpoint} />
          <RotateSecret endpoint={endpoint} />
          <DeleteEndpoint endpoint={endpoint} />
        </>
      ) : null}
    </div>
  );
}

function SendTest({ endpoint }: Props) {
  const { api, environment } = useWorkspace();
  const queryClient = useQueryClient();
  const test = useMutation({
    mutationFn: () => api.webhookEndpoints.sendTest(endpoint.id),
    onSuccess: () => announce("The test event is on its way; its delivery appears below."),
    onError: announceError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [environment, "deliveries"] }),
  });
  return (
    <button
      type="button"
      className="button"
      disabled={test.isPending}
      onClick={() => test.mutate()}
    >
      Send a test
    </button>
  );
}

function RotateSecret({ endpoint }: Props) {
  const { api } = useWorkspace();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <ConfirmButton
        className="button"
        label="Rotate the secret"
        title="Rotate the signing secret?"
        description="The new secret signs at once. For 24 hours deliveries carry a signature with the old one too, so that you can change it without a gap."
        action="Rotate"
        run={async () => {
          setSecret((await api.webhookEndpoints.rotateSecret(endpoint.id)).signing_secret);
        }}
      />
      <Dialog title="New signing secret" isOpen={secret !== null} onClose={() => setSecret(null)}>
        <SecretOnce
          title="The secret that signs its deliveries from now on"
          secret={secret ?? ""}
          onDone={() => setSecret(null)}
        />
      </Dialog>
    </>
  );
}

function DeleteEndpoint({ endpoint }: Props) {
  const { api, environment } = useWorkspace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const run = async () => {
    await api.webhookEndpoints.delete(endpoint.id);
    await navigate({ to: "/$environment/webhooks", params: { environment } });
    await queryClient.invalidateQueries({ queryKey: [environment, "endpoints"] });
  };
  return (
    <ConfirmButton
      label="Delete"
      title="Delete this endpoint?"
      description="Its delivery log is deleted too. Events that happen afterwards are not sent to it."
      action="Delete"
      run={run}
    />
  );
}
