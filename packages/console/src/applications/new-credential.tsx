import type { Application, Provider } from "@mooring/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { providersQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { Problem } from "../ui/status.tsx";
import { CredentialFields, type FieldValues, filledFields } from "./credential-fields.tsx";

interface Props {
  readonly application: Application;
  readonly onDone: () => void;
}

/** The form is drawn from what the provider's manifest asks for. */
export function NewCredentialForm({ application, onDone }: Props) {
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  const { data: all = [] } = useQuery(providersQuery(workspace));
  const providers = all.filter(({ credential_fields: fields }) => fields.length > 0);
  const [slug, setSlug] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [zone, setZone] = useState("");
  const [fields, setFields] = useState<FieldValues>({});
  const provider = providers.find((one) => one.slug === slug) ?? providers[0];
  const store = useMutation({
    mutationFn: (chosen: Provider) =>
      workspace.api.credentials.store(application.id, {
        provider: chosen.slug,
        name: name.trim() === "" ? chosen.name : name.trim(),
        fields: filledFields(chosen, fields),
        ...(zone.trim() === "" ? {} : { zone: zone.trim() }),
      }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: [workspace.environment, "credentials"] });
      onDone();
    },
  });
  if (provider === undefined) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    store.mutate(provider);
  };
  return (
    <form className="form" onSubmit={submit}>
      <SelectField
        label="Provider"
        value={provider.slug}
        options={providers.map((one) => [one.slug, one.name] as const)}
        onChange={setSlug}
        hint={provider.credential_help}
      />
      <CredentialFields provider={provider} values={fields} onChange={setFields} />
      <TextField label="Name" value={name} onChange={setName} placeholder={provider.name} />
      <TextField
        label="Zone"
        value={zone}
        onChange={setZone}
        hint="Only this zone is written with it; empty for every zone that it can see."
      />
      {store.isError ? <Problem error={store.error} /> : null}
      <button type="submit" className="button primary" disabled={store.isPending}>
        Store
      </button>
    </form>
  );
}
