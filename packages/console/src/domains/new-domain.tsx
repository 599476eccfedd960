import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { applicationsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Problem } from "../ui/status.tsx";

/** Connects a domain by hand, as the API does it. */
export function NewDomainButton() {
  const { may } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  if (!may("developer")) return null;
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        <Icon name="plus" /> Connect a domain
      </button>
      <Dialog
        title="Connect a domain"
        description="Your customers usually do this themselves, in the widget. The domain's page then shows the records to add."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <NewDomainForm />
      </Dialog>
    </>
  );
}

function NewDomainForm() {
  const workspace = useWorkspace();
  const { api, environment } = workspace;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { data: applications = [] } = useQuery(applicationsQuery(workspace));
  const [hostname, setHostname] = useState("");
  const [customer, setCustomer] = useState("");
  const [isMoving, setMoving] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const applicationId = chosen ?? applications[0]?.id ?? "";
  const create = useMutation({
    mutationFn: () =>
      api.connections.create({
        application_id: applicationId,
        hostname: hostname.trim(),
        ...(customer === "" ? {} : { customer_ref: customer }),
        ...(isMoving ? { cutover: true } : {}),
      }),
    async onSuccess({ id }) {
      await queryClient.invalidateQueries({ queryKey: [environment, "connections"] });
      await navigate({ to: "/$environment/domains/$id", params: { environment, id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <TextField
        label="Domain"
        value={hostname}
        onChange={setHostname}
        placeholder={environment === "test" ? "shop.acme.test" : "shop.acme.com"}
        isRequired
      />
      <TextField
        label="Customer"
        value={customer}
        onChange={setCustomer}
        hint="Your own id of the customer; optional."
      />
      <SelectField
        label="Application"
        value={applicationId}
        options={applications.map(({ id, name }) => [id, name] as const)}
        onChange={setChosen}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={isMoving}
          onChange={(event) => setMoving(event.target.checked)}
        />
        <span>
          It serves visitors elsewhere today: prepare everything first, then switch without an
          interruption.
        </span>
      </label>
      {create.isError ? <Problem error={create.error} /> : null}
      <button
        type="submit"
        className="button primary"
        disabled={create.isPending || hostname.trim() === ""}
      >
        Connect
      </button>
    </form>
  );
}
