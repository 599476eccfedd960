import type { Delivery, WebhookEndpoint } from "@mooring/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useWorkspace, type Workspace } from "../api/workspace.tsx";
import { ConfirmButton } from "../ui/confirm.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, SelectField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Problem } from "../ui/status.tsx";
import { announce } from "../ui/toast.tsx";
import type { DeliverySearch } from "./delivery-search.ts";
import { deliveriesQuery } from "./webhook-queries.ts";

/**
 * At most so many deliveries are sent again one by one; more is a replay of everything since a
 * time.
 */
const mostAtOnce = 500;

export function ReplayButton({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Icon name="refresh" /> Replay
      </button>
      <Dialog
        title="Send events again"
        description="Each event keeps its id, so that your receiver can tell that it knows it."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <ReplayForm endpoint={endpoint} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface FormProps {
  readonly endpoint: WebhookEndpoint;
  readonly onDone: () => void;
}

function ReplayForm({ endpoint, onDone }: FormProps) {
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  const [which, setWhich] = useState<"failed" | "all">("failed");
  const [since, setSince] = useState(() => localInput(Date.now() - 24 * 3_600_000));
  const replay = useMutation({
    mutationFn: () => {
      const from = new Date(since).toISOString();
      return which === "all"
        ? workspace.api.webhookEndpoints
            .replaySince(endpoint.id, { since: from })
            .then(({ replayed }) => replayed)
        : replayFailedSince(workspace, endpoint.id, from);
    },
    async onSuccess(count) {
      announce(`${count} events are sent again.`);
      onDone();
      await queryClient.invalidateQueries({ queryKey: [workspace.environment, "deliveries"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    replay.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <SelectField
        label="Which"
        value={which}
        options={[
          ["failed", "Those that were not delivered"],
          ["all", "Every event, also those delivered"],
        ]}
        onChange={setWhich}
      />
      <Field label="Since">
        {(control) => (
          <input
            {...control}
            className="input"
            type="datetime-local"
            required
            value={since}
            onChange={(event) => setSince(event.target.value)}
          />
        )}
      </Field>
      {replay.isError ? <Problem error={replay.error} /> : null}
      <button type="submit" className="button primary" disabled={replay.isPending}>
        {replay.isPending ? "Sending…" : "Send again"}
      </button>
    </form>
  );
}

/** The value of a `datetime-local` input: local time without a zone. */
function localInput(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offsetMs).toISOString().slice(0, 16);
}

async function replayFailedSince({ api }: Workspace, endpointId: string, since: string) {
  const selected: Delivery[] = [];
  for (const status of ["exhausted", "failed"] as const) {
    const query = { endpoint_id: endpointId, status, limit: 100 };
    for await (const delivery of api.deliveries.list(query)) {
      if (delivery.created_at < since || selected.length >= mostAtOnce) break;
      selected.push(delivery);
    }
  }
  return replayEach({ api }, selected);
}

async function replayEach({ api }: Pick<Workspace, "api">, deliveries: readonly Delivery[]) {
  for (const { endpoint_id, id } of deliveries) await api.webhookEndpoints.replay(endpoint_id, id);
  return deliveries.length;
}

/** Sends the deliveries of the page on screen again. */
export function ReplayFilteredButton({ search }: { readonly search: DeliverySearch }) {
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  if (!workspace.may("support")) return null;
  const run = async () => {
    const { data } = await queryClient.fetchQuery(deliveriesQuery(workspace, search));
    const count = await replayEach(workspace, data);
    announce(`${count} events are sent again.`);
    await queryClient.invalidateQueries({ queryKey: [workspace.environment, "deliveries"] });
  };
  return (
    <ConfirmButton
      className="button"
      label="Replay this page"
      title="Send these deliveries again?"
      description="All deliveries that this page shows with its filters are sent again, in this order."
      action="Send again"
      run={run}
    />
  );
}

export function ReplayOneButton({ delivery }: { readonly delivery: Delivery }) {
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: () => replayEach(workspace, [delivery]),
    async onSuccess() {
      announce("The event is sent again.");
      await queryClient.invalidateQueries({ queryKey: [workspace.environment, "deliveries"] });
    },
  });
  if (!workspace.may("support")) return null;
  return (
    <>
      <button
        type="button"
        className="button primary"
        disabled={replay.isPending}
        onClick={() => replay.mutate()}
      >
        <Icon name="refresh" /> Replay
      </button>
      {replay.isError ? <Problem error={replay.error} /> : null}
    </>
  );
}
