import type { AddPasskey, Passkey } from "@mooring/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createPasskey, hasPasskeys } from "../api/passkeys.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { ConfirmButton } from "../ui/confirm.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Icon } from "../ui/icon.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { Empty } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { announce, announceError } from "../ui/toast.tsx";
import { passkeysQuery } from "./account-queries.ts";

/** The person's passkeys: a way to sign in without a link. */
export function Passkeys() {
  const query = useQuery(passkeysQuery(useWorkspace()));
  return (
    <ListPanel
      label="Passkeys"
      header={
        <header>
          <h2>Passkeys</h2>
          <AddPasskeyButton />
        </header>
      }
      query={query}
      loading="Loading the passkeys"
      columns={columns}
      empty={
        <Empty title="No passkey yet.">
          <p>With one you sign in by your device's own lock, without a link.</p>
        </Empty>
      }
      loadingLines={2}
      hasKeys={false}
    />
  );
}

function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["passkeys"] });
}

function AddPasskeyButton() {
  const { api } = useWorkspace();
  const refresh = useRefresh();
  const add = useMutation({
    mutationFn: async () => {
      const { challenge_id, options } = await api.passkeys.challenge();
      const response = await createPasskey(options);
      const name = `${navigator.platform || "Device"}, ${new Date().toLocaleDateString()}`;
      return api.passkeys.add({ challenge_id, name, response: asResponse(response) });
    },
    onSuccess: async () => {
      announce("The passkey is added.");
      await refresh();
    },
    onError: announceError,
  });
  if (!hasPasskeys()) return <p>This browser has no passkeys.</p>;
  return (
    <button
      type="button"
      className="button small"
      disabled={add.isPending}
      onClick={() => add.mutate()}
    >
      <Icon name="key" /> Add a passkey
    </button>
  );
}

/** What `toJSON` of a credential gives is an object; the API checks the rest. */
function asResponse(value: unknown): AddPasskey["response"] {
  return value as AddPasskey["response"];
}

const columns: readonly Column<Passkey>[] = [
  { id: "name", header: "Name", isTitle: true, cell: ({ name }) => name },
  {
    id: "used",
    header: "Last used",
    cell: ({ last_used_at }) => (last_used_at === null ? "Never" : <Ago at={last_used_at} />),
  },
  { id: "created", header: "Added", cell: ({ created_at }) => <Ago at={created_at} /> },
  { id: "remove", header: "Remove", isTitle: true, cell: (row) => <RemovePasskey passkey={row} /> },
];

function RemovePasskey({ passkey }: { readonly passkey: Passkey }) {
  const { api } = useWorkspace();
  const refresh = useRefresh();
  const run = async () => {
    await api.passkeys.remove(passkey.id);
    await refresh();
  };
  return (
    <ConfirmButton
      className="button small danger"
      label="Remove"
      title={`Remove ${passkey.name}?`}
      description="It no longer signs in. Sessions that it opened go on."
      action="Remove"
      run={run}
    />
  );
}
