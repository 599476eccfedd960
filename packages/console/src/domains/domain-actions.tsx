import type { ConnectionDetail } from "@mooring/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { ConfirmButton } from "../ui/confirm.tsx";
import { Copy } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { useSlow } from "../ui/slow.ts";
import { At } from "../ui/time.tsx";
import { announce, announceError } from "../ui/toast.tsx";

interface Props {
  readonly connection: ConnectionDetail;
}

/** What a person may do with the domain; what their role does not allow is not offered. */
export function DomainActions({ connection }: Props) {
  const { may } = useWorkspace();
  if (!may("support")) return null;
  if (connection.dangling) return <Share connection={connection} {...removal} />;
  if (connection.state === "archived") return null;
  return (
    <div className="row">
      <CheckNow connection={connection} />
      <Share connection={connection} {...setup} />
      {may("developer") ? <Archive connection={connection} /> : null}
    </div>
  );
}

function useRefresh(id: string): () => Promise<void> {
  const { environment } = useWorkspace();
  const queryClient = useQueryClient();
  return async () => {
    const nouns = ["connection", "diagnosis", "timeline"];
    await Promise.all([
      ...nouns.map((noun) => queryClient.invalidateQueries({ queryKey: [environment, noun, id] })),
      queryClient.invalidateQueries({ queryKey: [environment, "connections"] }),
    ]);
  };
}

const unproven: readonly string[] = ["created", "pending_ownership", "verifying", "failed"];

/**
 * Ownership while that is open, afterwards the records; a record that is not there is no failure.
 */
function CheckNow({ connection: { id, state } }: Props) {
  const { api } = useWorkspace();
  const refresh = useRefresh(id);
  const check = useMutation({
    mutationFn: async (): Promise<string> => {
      if (unproven.includes(state)) {
        await api.connections.verify(id);
        return "The ownership record is there.";
      }
      const { records } = await api.connections.checkRecords(id);
      const right = records.filter(({ propagated }) => propagated).length;
      return `${right} of ${records.length} records are right.`;
    },
    onSuccess: announce,
    onError: announceError,
    onSettled: refresh,
  });
  const isSlow = useSlow(check.isPending);
  return (
    <button
      type="button"
      className="button primary"
      disabled={check.isPending}
      onClick={() => check.mutate()}
    >
      <Icon name="refresh" />{" "}
      {check.isPending ? (isSlow ? "Name servers are slow…" : "Checking…") : "Check now"}
    </button>
  );
}

interface ShareTexts {
  readonly label: string;
  readonly title: string;
  readonly description: string;
}

const setup: ShareTexts = {
  label: "Share",
  title: "A page for the person who manages the DNS",
  description:
    "It shows the records, what DNS has of them and what to do. Anyone who has the link can read it. The link is shown only here.",
};

/** Of an archived domain whose name still resolves to us. */
const removal: ShareTexts = {
  label: "Ask to remove the record",
  title: "A page that asks to remove the record",
  description:
    "The domain is archived, and its name still resolves to the service. Send the link to the person who manages the DNS: the page shows which record to remove, and why. Nothing can be connected from it. The link is shown only here.",
};

function Share({ connection, label, title, description }: Props & ShareTexts) {
  const { api } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const share = useMutation({
    mutationFn: () => api.connections.share(connection.id),
    onSuccess: () => setOpen(true),
    onError: announceError,
  });
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={share.isPending}
        onClick={() => share.mutate()}
      >
        <Icon name="share" /> {label}
      </button>
      <Dialog
        title={title}
        description={description}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        {share.data === undefined ? null : (
          <>
            <div className="secret">
              <Copy text={share.data.url} label="the link" />
            </div>
            <p className="muted">
              Valid until <At at={share.data.expires_at} />.
            </p>
          </>
        )}
        <footer>
          <button type="button" className="button primary" onClick={() => setOpen(false)}>
            Done
          </button>
        </footer>
      </Dialog>
    </>
  );
}

function Archive({ connection: { id, hostname } }: Props) {
  const { api } = useWorkspace();
  const refresh = useRefresh(id);
  const [isReverting, setReverting] = useState(false);
  const run = async () => {
    await api.connections.delete(id, isReverting ? { revert_dns: "true" } : {});
    await refresh();
    announce(`${hostname} is archived.`);
  };
  return (
    <ConfirmButton
      label="Archive"
      title={`Archive ${hostname}?`}
      description={
        <div className="stack">
          <p>
            The edge stops serving it within seconds, and the name becomes free for others. A new
            connection needs a new proof.
          </p>
          <label className="check">
            <input
              type="checkbox"
              checked={isReverting}
              onChange={(event) => setReverting(event.target.checked)}
            />
            <span>Also put the customer's zone back to what it was before we wrote to it.</span>
          </label>
        </div>
      }
      action="Archive"
      run={run}
    />
  );
}
