import type { ConnectionDetail, RecordPlan } from "@mooring/sdk";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PlanForm, type PlanRequest } from "./plan-form.tsx";

interface Props {
  readonly connection: ConnectionDetail;
}

const texts = {
  apply: {
    button: "Write the records",
    title: "Write the records at the DNS provider",
    description:
      "First the plan is made and shown. Nothing that we did not create is changed unless you allow it, record by record.",
    action: "Write",
    done: "The records are written; the domain is checked now.",
  },
  revert: {
    button: "Undo our writes",
    title: "Put the zone back",
    description:
      "Removes the records that we wrote for this domain and restores those that they replaced. What others have put there since is left alone.",
    action: "Undo",
    done: "The zone is as it was before we wrote to it.",
  },
} as const;

/** Writes with a stored credential, and their undo: plan first, then the write. */
export function DnsWriteButton({
  connection,
  kind,
}: Props & { readonly kind: keyof typeof texts }) {
  const { connections } = useWorkspace().api;
  const [isOpen, setOpen] = useState(false);
  const { button, title, description, action, done } = texts[kind];
  const send = (request: PlanRequest): Promise<RecordPlan> =>
    kind === "apply"
      ? connections.applyRecords(connection.id, request)
      : connections.revertRecords(connection.id, request);
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
        <PlanForm
          connection={connection}
          send={send}
          action={action}
          done={done}
          onDone={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}
