import type { ConnectionDetail, RecordPlan } from "@mooring/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { credentialsQuery } from "../applications/application-queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField } from "../ui/field.tsx";
import { Problem } from "../ui/status.tsx";
import { announce } from "../ui/toast.tsx";
import { PlanTable } from "./plan-table.tsx";

interface Props {
  readonly connection: ConnectionDetail;
}

type Kind = "apply" | "revert";

const texts = {
  apply: {
    button: "Write the records",
    title: "Write the records at the DNS provider",
    description:
      "First the plan is made and shown. Nothing that we did not create is changed unless you allow it, record by record.",
    done: "The records are written; the domain is checked now.",
  },
  revert: {
    button: "Undo our writes",
    title: "Put the zone back",
    description:
      "Removes the records that we wrote for this domain and restores those that they replaced. What others have put there since is left alone.",
    done: "The zone is as it was before we wrote to it.",
  },
} as const;

/** Writes with a stored credential, and their undo: plan first, then the write. */
export function DnsWriteButtons({ connection }: Props) {
  return (
    <>
      <WriteButton connection={connection} kind="apply" />
      <WriteButton connection={connection} kind="revert" />
    </>
  );
}

function WriteButton({ connection, kind }: Props & { readonly kind: Kind }) {
  const [isOpen, setOpen] = useState(false);
  const { button, title, description } = texts[kind];
  return (
    <>
      <button type="button" className="button small" onClick={() => setOpen(true)}>
        {button}
      </button>
      <Dialog
        title={title}
        description={description}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isWide
      >
        <WriteForm connection={connection} kind={kind} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface FormProps extends Props {
  readonly kind: Kind;
  readonly onDone: () => void;
}

function WriteForm({ connection, kind, onDone }: FormProps) {
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  const { data: credentials = [] } = useQuery(
    credentialsQuery(workspace, connection.application_id),
  );
  const [credentialId, setCredentialId] = useState("");
  const [replaced, setReplaced] = useState<ReadonlySet<string>>(new Set());
  const send = (isDryRun: boolean): Promise<RecordPlan> => {
    const body = {
      dry_run: isDryRun,
      replace: [...replaced],
      ...(credentialId === "" ? {} : { credential_id: credentialId }),
    };
    const { connections } = workspace.api;
    return kind === "apply"
      ? connections.applyRecords(connection.id, body)
      : connections.revertRecords(connection.id, body);
  };
  const plan = useMutation({ mutationFn: () => send(true) });
  const write = useMutation({
    mutationFn: () => send(false),
    async onSuccess() {
      announce(texts[kind].done);
      onDone();
      await queryClient.invalidateQueries({ queryKey: [workspace.environment] });
    },
  });
  const isBlocked = plan.data?.changes.some(
    ({ action, id }) => action === "conflict" && !replaced.has(id),
  );
  return (
    <>
      <SelectField
        label="Credential"
        value={credentialId}
        options={[
          ["", "The stored one that sees the zone"],
          ...credentials.map(({ id, name, provider }) => [id, `${name} (${provider})`] as const),
        ]}
        onChange={(id) => {
          setCredentialId(id);
          plan.reset();
        }}
      />
      {plan.isError ? <Problem error={plan.error} /> : null}
      {plan.data === undefined ? null : (
        <PlanTable plan={plan.data} replaced={replaced} onReplace={setReplaced} />
      )}
      {write.isError ? <Problem error={write.error} /> : null}
      <footer>
        <button
          type="button"
          className="button"
          disabled={plan.isPending}
          onClick={() => plan.mutate()}
        >
          {plan.isPending ? "Asking the provider…" : "Show the plan"}
        </button>
        <button
          type="button"
          className="button primary"
          disabled={plan.data === undefined || isBlocked === true || write.isPending}
          onClick={() => write.mutate()}
        >
          {kind === "apply" ? "Write" : "Undo"}
        </button>
      </footer>
    </>
  );
}
