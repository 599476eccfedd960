import type { ListedSession } from "@mooring/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useWorkspace } from "../api/workspace.tsx";
import { ConfirmButton } from "../ui/confirm.tsx";
import type { Column } from "../ui/data-table.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Badge } from "../ui/status.tsx";
import { Ago, At } from "../ui/time.tsx";
import { sessionsQuery } from "./account-queries.ts";
import { Passkeys } from "./passkeys.tsx";

/** The person's own sign-in: sessions and passkeys. */
export function SettingsPage() {
  const { session } = useWorkspace();
  return (
    <div className="stack">
      <PageHeading>Settings</PageHeading>
      <section className="panel" aria-label="Account">
        <header>
          <h2>Account</h2>
        </header>
        <dl className="facts body">
          <dt>Tenant</dt>
          <dd>{session.tenant.name}</dd>
          <dt>You</dt>
          <dd>
            {session.member?.name ?? session.member?.email ?? "Signed in by a link without a name"}
          </dd>
          <dt>Role</dt>
          <dd>{session.role}</dd>
          <dt>Session ends</dt>
          <dd>
            <At at={session.expires_at} />, unless it is used before
          </dd>
        </dl>
      </section>
      {session.member === null ? null : <Passkeys />}
      <Sessions />
    </div>
  );
}

function Sessions() {
  const query = useQuery(sessionsQuery(useWorkspace()));
  return (
    <ListPanel
      label="Sessions"
      header={
        <header>
          <h2>Sessions</h2>
          <p>Ending one signs it out at once, in all its tabs.</p>
        </header>
      }
      query={query}
      loading="Loading the sessions"
      columns={columns}
      empty={null}
      hasKeys={false}
    />
  );
}

const columns: readonly Column<ListedSession>[] = [
  {
    id: "who",
    header: "Who",
    isTitle: true,
    cell: ({ member, current, role }) => (
      <span className="breakable">
        {member?.name ?? member?.email ?? "By link"}{" "}
        {current ? <Badge tone="good">This one</Badge> : null}
        <span className="sub">{role}</span>
      </span>
    ),
  },
  {
    id: "where",
    header: "Browser",
    cell: ({ user_agent, address }) => (
      <span className="breakable">
        {user_agent ?? "–"}
        <span className="sub">{address ?? ""}</span>
      </span>
    ),
  },
  { id: "seen", header: "Last seen", cell: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
  { id: "created", header: "Signed in", cell: ({ created_at }) => <Ago at={created_at} /> },
  { id: "end", header: "End", isTitle: true, cell: (row) => <EndSession listed={row} /> },
];

function EndSession({ listed }: { readonly listed: ListedSession }) {
  const { api } = useWorkspace();
  const queryClient = useQueryClient();
  const run = async () => {
    await api.sessions.revoke(listed.id);
    await queryClient.invalidateQueries({ queryKey: ["sessions"] });
  };
  return (
    <ConfirmButton
      className="button small danger"
      label="End"
      title={listed.current ? "End this session?" : "End the session?"}
      description={
        listed.current
          ? "You are signed out here."
          : "Its browser is signed out at once, in every tab."
      }
      action="End it"
      run={run}
    />
  );
}
