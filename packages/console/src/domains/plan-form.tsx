import type { ConnectionDetail, RecordPlan } from "@mooring/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { Problem } from "../ui/status.tsx";
import { announce } from "../ui/toast.tsx";
import { type ChosenCredential, CredentialChoice } from "./credential-choice.tsx";
import { PlanTable } from "./plan-table.tsx";

/** What every write takes. */
export interface PlanRequest {
  readonly dry_run: boolean;
  readonly replace: string[];
  readonly credential_id?: string;
  /** A credential for this write alone. */
  readonly provider?: string;
  readonly fields?: Record<string, string>;
}

interface Props {
  readonly connection: Pick<ConnectionDetail, "application_id" | "provider">;
  /** Sends the write; without `dry_run` it takes effect. */
  readonly send: (request: PlanRequest) => Promise<RecordPlan>;
  readonly action: string;
  readonly done: string;
  readonly onDone: () => void;
  /** False while something else must be decided first. */
  readonly isAllowed?: boolean;
}

/** A write to the customer's zone: first the plan is made and shown, then it is carried out. */
export function PlanForm({ connection, send, action, done, onDone, isAllowed = true }: Props) {
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<ChosenCredential>({});
  const [replaced, setReplaced] = useState<ReadonlySet<string>>(new Set());
  const request = (isDryRun: boolean): PlanRequest => ({
    dry_run: isDryRun,
    replace: [...replaced],
    ...chosen,
  });
  const plan = useMutation({ mutationFn: () => send(request(true)) });
  const write = useMutation({
    mutationFn: () => send(request(false)),
    async onSuccess() {
      announce(done);
      onDone();
      await queryClient.invalidateQueries({ queryKey: [workspace.environment] });
    },
  });
  const isBlocked = plan.data?.changes.some(
    ({ action: change, id }) => change === "conflict" && !replaced.has(id),
  );
  const canWrite = plan.data !== undefined && isBlocked !== true && isAllowed;
  return (
    <>
      <CredentialChoice
        connection={connection}
        onChange={(credential) => {
          setChosen(credential);
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
          disabled={!canWrite || write.isPending}
          onClick={() => write.mutate()}
        >
          {action}
        </button>
      </footer>
    </>
  );
}
