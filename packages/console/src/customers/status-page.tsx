import type { ListedConnection, StatusLink } from "@mooring/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { applicationsQuery, statusLinksQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { Copy } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Loading, Problem } from "../ui/status.tsx";
import { Ago, At } from "../ui/time.tsx";
import { announce, announceError } from "../ui/toast.tsx";

interface Props {
  readonly reference: string;
  /** Of the customer; those that a page would show. */
  readonly domains: readonly ListedConnection[];
}

/** Makes, shows and revokes the links to the page that the customer may read. */
export function StatusPage(props: Props) {
  const { may } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const hasDomain = props.domains.some(({ state }) => state !== "archived");
  if (!may("support") || !hasDomain) return null;
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Icon name="share" /> Status page
      </button>
      <Dialog
        title="A page for the customer"
        description="It shows how the customer's own domains are, what is to do and by whom, in seven languages. It is read-only, and anyone who has the link can read it."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <Links {...props} />
        <footer>
          <button type="button" className="button" onClick={() => setOpen(false)}>
            Done
          </button>
        </footer>
      </Dialog>
    </>
  );
}

const lifetimes = [
  ["7", "7 days"],
  ["90", "90 days"],
  ["365", "A year"],
] as const;

function Links({ reference, domains }: Props) {
  const workspace = useWorkspace();
  const { api, environment } = workspace;
  const queryClient = useQueryClient();
  const links = useQuery(statusLinksQuery(workspace, reference));
  const { data: applications = [] } = useQuery(applicationsQuery(workspace));
  const used = applications.filter(({ id }) => domains.some((one) => one.application_id === id));
  const [application, setApplication] = useState("");
  const [days, setDays] = useState<(typeof lifetimes)[number][0]>("90");
  const chosen = application || used[0]?.id;
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: [environment, "status-links", reference] });
  const create = useMutation({
    mutationFn: () =>
      api.statusLinks.create({
        customer_ref: reference,
        expires_in_days: Number(days),
        ...(chosen === undefined ? {} : { application_id: chosen }),
      }),
    onSettled: refresh,
  });
  const revoke = useMutation({
    mutationFn: (id: string) => api.statusLinks.revoke(id),
    onSuccess: (_, id) => {
      if (create.data?.id === id) create.reset();
      announce("The link no longer works.");
    },
    onError: announceError,
    onSettled: refresh,
  });
  return (
    <div className="stack">
      {create.data === undefined ? null : (
        <div className="stack-tight">
          <div className="secret">
            <Copy text={create.data.url} label="the link" />
          </div>
          <p className="muted">
            The link is shown only here. Valid until <At at={create.data.expires_at} />.
          </p>
        </div>
      )}
      {create.isError ? <Problem error={create.error} /> : null}
      <div className="row">
        {used.length < 2 ? null : (
          <SelectField
            label="Application"
            value={chosen ?? ""}
            options={used.map(({ id, name }) => [id, name] as const)}
            onChange={setApplication}
          />
        )}
        <SelectField label="Valid for" value={days} options={lifetimes} onChange={setDays} />
      </div>
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={create.isPending}
          onClick={() => create.mutate()}
        >
          Create a link
        </button>
      </div>
      {links.isPending ? <Loading lines={2} label="Loading the links" /> : null}
      {links.error ? <Problem error={links.error} onRetry={links.refetch} /> : null}
      <LinkList
        links={links.data ?? []}
        isBusy={revoke.isPending}
        onRevoke={(id) => revoke.mutate(id)}
      />
    </div>
  );
}

interface ListProps {
  readonly links: readonly StatusLink[];
  readonly isBusy: boolean;
  readonly onRevoke: (id: string) => void;
}

/** The links that work now. */
function LinkList({ links, isBusy, onRevoke }: ListProps) {
  if (links.length === 0) return null;
  return (
    <ul className="stack-tight" aria-label="Links that work now">
      {links.map(({ id, created_at, expires_at }) => (
        <li key={id} className="spread">
          <span>
            made <Ago at={created_at} />, ends <Ago at={expires_at} />
          </span>
          <button
            type="button"
            className="button small danger"
            disabled={isBusy}
            onClick={() => onRevoke(id)}
          >
            Revoke
          </button>
        </li>
      ))}
    </ul>
  );
}
