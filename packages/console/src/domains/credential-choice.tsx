import type { ConnectionDetail } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { providersQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { credentialsQuery } from "../applications/application-queries.ts";
import {
  CredentialFields,
  type FieldValues,
  filledFields,
} from "../applications/credential-fields.tsx";
import { SelectField } from "../ui/field.tsx";
import { Loading } from "../ui/status.tsx";

/** How a write names its credential; empty: the stored one that sees the zone. */
export interface ChosenCredential {
  readonly credential_id?: string;
  readonly provider?: string;
  readonly fields?: Record<string, string>;
}

interface Props {
  readonly connection: Pick<ConnectionDetail, "application_id" | "provider">;
  readonly onChange: (credential: ChosenCredential) => void;
}

const once = "once";

/** A stored credential, or one that is entered here, used for this write and forgotten. */
export function CredentialChoice({ connection, onChange }: Props) {
  const workspace = useWorkspace();
  const { data: credentials } = useQuery(credentialsQuery(workspace, connection.application_id));
  const [chosen, setChosen] = useState<string | null>(null);
  if (credentials === undefined) return <Loading lines={2} label="Loading the credentials" />;
  const value = chosen ?? (credentials.length === 0 ? once : "");
  const stored = credentials.map(
    ({ id, name, provider }) => [id, `${name} (${provider})`] as const,
  );
  return (
    <>
      <SelectField
        label="Credential"
        value={value}
        options={[
          ...(credentials.length === 0
            ? []
            : [["", "The stored one that sees the zone"] as const, ...stored]),
          [once, "One for this time only"],
        ]}
        onChange={(id) => {
          setChosen(id);
          onChange(id === "" || id === once ? {} : { credential_id: id });
        }}
        {...(credentials.length === 0
          ? { hint: "No credential is stored for this application." }
          : {})}
      />
      {value === once ? <OnceFields slug={connection.provider} onChange={onChange} /> : null}
    </>
  );
}

interface OnceProps {
  /** Where the domain's DNS is, as far as it is known. */
  readonly slug: string | null;
  readonly onChange: Props["onChange"];
}

function OnceFields({ slug, onChange }: OnceProps) {
  const { data: all = [] } = useQuery(providersQuery(useWorkspace()));
  const providers = all.filter(({ credential_fields: fields }) => fields.length > 0);
  const [picked, setPicked] = useState(slug);
  const [values, setValues] = useState<FieldValues>({});
  const provider = providers.find((one) => one.slug === picked) ?? providers[0];
  if (provider === undefined) return <Loading lines={2} label="Loading the providers" />;
  return (
    <>
      <SelectField
        label="Provider"
        value={provider.slug}
        options={providers.map((one) => [one.slug, one.name] as const)}
        onChange={(next) => {
          setPicked(next);
          setValues({});
          onChange({});
        }}
        hint={provider.credential_help}
      />
      <CredentialFields
        provider={provider}
        values={values}
        onChange={(next) => {
          setValues(next);
          onChange({ provider: provider.slug, fields: filledFields(provider, next) });
        }}
      />
      <p className="muted">It is used for the plan and the write, and not stored.</p>
    </>
  );
}
