import type { ListedMember } from "@mooring/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type Role, roles } from "../api/session.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { Choice } from "../ui/choice.tsx";
import { ConfirmButton } from "../ui/confirm.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { ListPanel } from "../ui/list-panel.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { SecretOnce } from "../ui/secret-once.tsx";
import { Empty, Problem } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { announceError } from "../ui/toast.tsx";
import { membersQuery } from "./account-queries.ts";

/** The people of the tenant. Both environments have the same team. */
export function TeamPage() {
  const workspace = useWorkspace();
  const query = useQuery(membersQuery(workspace));
  const canManage = workspace.may("admin");
  return (
    <div className="stack">
      <header className="page-head">
        <div>
          <PageHeading>Team</PageHeading>
          <p>Members act in both environments.</p>
        </div>
        {canManage ? <InviteButton /> : null}
      </header>
      <ListPanel
        label="Members"
        query={query}
        loading="Loading the team"
        columns={canManage ? managedColumns : columns}
        empty={
          <Empty title="Nobody is a member yet.">
            <p>Links without a name sign in without a member: invite the people who use them.</p>
          </Empty>
        }
      />
      <RolesPanel />
    </div>
  );
}

const columns: readonly Column<ListedMember>[] = [
  {
    id: "name",
    header: "Name",
    isTitle: true,
    cell: ({ name, email }) => (
      <span className="breakable">
        <strong>{name ?? email}</strong>
        {name === null ? null : <span className="sub">{email}</span>}
      </span>
    ),
  },
  { id: "role", header: "Role", cell: ({ role }) => role },
  {
    id: "seen",
    header: "Last seen",
    cell: (row) => <LastSeen member={row} />,
  },
  { id: "created", header: "Invited", cell: ({ created_at }) => <Ago at={created_at} /> },
];

const managedColumns: readonly Column<ListedMember>[] = [
  ...columns.filter(({ id }) => id !== "role"),
  { id: "change", header: "Role", cell: (row) => <RoleChoice member={row} /> },
  { id: "remove", header: "Actions", isTitle: true, cell: (row) => <MemberActions member={row} /> },
];

/** Who has never signed in waits for a link, or needs a new one. */
function LastSeen({ member }: { readonly member: ListedMember }) {
  if (member.last_seen_at !== null) return <Ago at={member.last_seen_at} />;
  return (
    <span>
      Never
      <span className="sub">
        {member.invitation === null ? (
          "The link has ended"
        ) : (
          <>
            The link ends <Ago at={member.invitation.expires_at} />
          </>
        )}
      </span>
    </span>
  );
}

function MemberActions({ member }: { readonly member: ListedMember }) {
  const { may } = useWorkspace();
  if (!may(member.role)) return null;
  return (
    <span className="row">
      {member.last_seen_at === null ? <InviteAgain member={member} /> : null}
      <RemoveMember member={member} />
    </span>
  );
}

function InviteAgain({ member }: { readonly member: ListedMember }) {
  const { api } = useWorkspace();
  const refresh = useRefreshTeam();
  const invite = useMutation({
    mutationFn: () => api.members.inviteAgain(member.id),
    onSuccess: refresh,
    onError: announceError,
  });
  return (
    <>
      <button
        type="button"
        className="button small"
        disabled={invite.isPending}
        onClick={() => invite.mutate()}
      >
        New link
      </button>
      <Dialog
        title="Invite again"
        isOpen={invite.data !== undefined}
        onClose={() => invite.reset()}
      >
        <SecretOnce
          title={`The link that signs ${member.email} in, once; the one before has ended`}
          secret={invite.data?.invitation.url ?? ""}
          onDone={() => invite.reset()}
        />
      </Dialog>
    </>
  );
}

function useRefreshTeam() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["members"] });
}

/** Nobody grants a role above their own, and an owner is changed by an owner only. */
function RoleChoice({ member }: { readonly member: ListedMember }) {
  const { api, may } = useWorkspace();
  const refresh = useRefreshTeam();
  const change = useMutation({
    mutationFn: (role: Role) => api.members.update(member.id, { role }),
    onError: announceError,
    onSettled: refresh,
  });
  if (!may(member.role)) return member.role;
  return (
    <Choice
      label={`Role of ${member.email}`}
      value={member.role}
      options={roles.filter((role) => may(role)).map((role) => [role, role] as const)}
      onChange={(text) => {
        const role = roles.find((one) => one === text);
        if (role !== undefined) change.mutate(role);
      }}
    />
  );
}

function RemoveMember({ member }: { readonly member: ListedMember }) {
  const { api } = useWorkspace();
  const refresh = useRefreshTeam();
  const run = async () => {
    await api.members.remove(member.id);
    await refresh();
  };
  const isInvited = member.last_seen_at === null;
  return (
    <ConfirmButton
      className="button small danger"
      label={isInvited ? "Withdraw" : "Remove"}
      title={isInvited ? `Withdraw the invitation of ${member.email}?` : `Remove ${member.email}?`}
      description={
        isInvited ? "The link stops working." : "Their sessions end at once, in every tab."
      }
      action={isInvited ? "Withdraw" : "Remove"}
      run={run}
    />
  );
}

function InviteButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        <Icon name="plus" /> Invite
      </button>
      <Dialog title="Invite a member" isOpen={isOpen} onClose={() => setOpen(false)}>
        <InviteForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function InviteForm({ onDone }: { readonly onDone: () => void }) {
  const { api, may } = useWorkspace();
  const refresh = useRefreshTeam();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("support");
  const invite = useMutation({
    mutationFn: () =>
      api.members.invite({
        email: email.trim(),
        role,
        ...(name.trim() === "" ? {} : { name: name.trim() }),
      }),
    onSuccess: refresh,
  });
  if (invite.data !== undefined) {
    return (
      <SecretOnce
        title={`The link that signs ${invite.data.email} in, once, within three days`}
        secret={invite.data.invitation.url}
        onDone={onDone}
      />
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <TextField label="E-mail" type="email" value={email} onChange={setEmail} isRequired />
      <TextField label="Name" value={name} onChange={setName} />
      <SelectField<Role>
        label="Role"
        value={role}
        options={roles.filter((one) => may(one)).map((one) => [one, one] as const)}
        onChange={setRole}
        hint={roleTexts[role]}
      />
      {invite.isError ? <Problem error={invite.error} /> : null}
      <button type="submit" className="button primary" disabled={invite.isPending}>
        Invite
      </button>
    </form>
  );
}

const roleTexts: Readonly<Record<Role, string>> = {
  viewer: "Reads everything but secrets.",
  support: "Also verifies, checks, shares, replays deliveries and retries certificates.",
  developer:
    "Also connects and archives domains, and manages applications, endpoints, test keys and credentials.",
  admin: "Also live keys, members below owner, and the audit log.",
  owner: "Everything, the plan, owners and deleting an application included.",
};

function RolesPanel() {
  return (
    <section className="panel" aria-label="Roles">
      <header>
        <h2>Roles</h2>
      </header>
      <dl className="facts body">
        {roles.map((role) => (
          <div key={role} className="facts-row">
            <dt>{role}</dt>
            <dd>{roleTexts[role]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
