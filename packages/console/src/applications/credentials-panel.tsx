import type { Application, Credential } from "@mooring/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { ConfirmButton } from "../ui/confirm.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { Badge, Empty } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { announce, announceError } from "../ui/toast.tsx";
import { credentialsQuery } from "./application-queries.ts";
import { NewCredentialForm } from "./new-credential.tsx";

interface Props {
  readonly application: Application;
}

/**
 * The delegated access to DNS providers, with its health. Its secret fields are shown to nobody.
 */
export function CredentialsPanel({ application }: Props) {
  const workspace = useWorkspace();
  const query = useQuery(credentialsQuery(workspace, application.id));
  const [isOpen, setOpen] = useState(false);
  const canManage = workspace.may("developer");
  return (
    <ListPanel
      label="DNS credentials"
      header={
        <header>
          <h2>DNS credentials</h2>
          {canManage ? (
            <button type="button" className="button small" onClick={() => setOpen(true)}>
              <Icon name="plus" /> Add a credential
            </button>
          ) : null}
        </header>
      }
      query={query}
      loading="Loading the credentials"
      columns={canManage ? [...columns, actionsColumn(application.id)] : columns}
      empty={
        <Empty title="No credential is stored.">
          <p>With one, the records of domains in its zones are written without anybody's help.</p>
        </Empty>
      }
    >
      <Dialog title="Add a DNS credential" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewCredentialForm application={application} onDone={() => setOpen(false)} />
      </Dialog>
    </ListPanel>
  );
}

const columns: readonly Column<Credential>[] = [
  {
    id: "name",
    header: "Name",
    isTitle: true,
    cell: ({ name, last4 }) => (
      <span className="breakable">
        {name}
        <code className="sub">…{last4}</code>
      </span>
    ),
  },
  { id: "provider", header: "Provider", cell: ({ provider }) => provider },
  { id: "zone", header: "Zone", cell: ({ zone }) => zone ?? "Found by listing" },
  {
    id: "health",
    header: "Health",
    cell: ({ last_error }) =>
      last_error === null ? (
        <Badge tone="good">Works</Badge>
      ) : (
        <span className="breakable">
          <Badge tone="bad">Failing</Badge>
          <span className="sub">{last_error}</span>
        </span>
      ),
  },
  {
    id: "used",
    header: "Last used",
    cell: ({ last_used_at }) => (last_used_at === null ? "Never" : <Ago at={last_used_at} />),
  },
];

function actionsColumn(applicationId: string): Column<Credential> {
  return {
    id: "actions",
    header: "Actions",
    isTitle: true,
    cell: (row) => <CredentialActions applicationId={applicationId} credential={row} />,
  };
}

interface ActionsProps {
  readonly applicationId: string;
  readonly credential: Credential;
}

function CredentialActions({ applicationId, credential }: ActionsProps) {
  const { api, environment } = useWorkspace();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: [environment, "credentials"] });
  const test = useMutation({
    mutationFn: () => api.credentials.test(applicationId, credential.id),
    onSuccess: ({ ok, zones, error }) =>
      announce(
        ok
          ? `It works, for ${zones.length} zones.`
          : `It does not work: ${error?.message ?? "the provider refused it"}`,
      ),
    onError: announceError,
    onSettled: refresh,
  });
  const remove = async () => {
    await api.credentials.delete(applicationId, credential.id);
    await refresh();
  };
  return (
    <span className="row">
      <button
        type="button"
        className="button small"
        disabled={test.isPending}
        onClick={() => test.mutate()}
      >
        {test.isPending ? "Testing…" : "Test"}
      </button>
      <ConfirmButton
        className="button small danger"
        label="Delete"
        title={`Delete ${credential.name}?`}
        description="Records in its zones are no longer written automatically. What was written stays."
        action="Delete"
        run={remove}
      />
    </span>
  );
}
