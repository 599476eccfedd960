import type { Provider } from "@mooring/sdk";
import { TextField } from "../ui/field.tsx";

export type FieldValues = Readonly<Record<string, string>>;

interface Props {
  readonly provider: Provider;
  readonly values: FieldValues;
  readonly onChange: (values: FieldValues) => void;
}

/** What the provider's manifest asks for. */
export function CredentialFields({ provider, values, onChange }: Props) {
  return provider.credential_fields.map(({ key, label, secret, required }) => (
    <TextField
      key={`${provider.slug} ${key}`}
      label={label}
      type={secret ? "password" : "text"}
      value={values[key] ?? ""}
      onChange={(text) => onChange({ ...values, [key]: text })}
      isRequired={required}
    />
  ));
}

/** Those that are filled in, without others of another provider. */
export function filledFields(
  { credential_fields }: Provider,
  values: FieldValues,
): Record<string, string> {
  const filled = credential_fields.flatMap(({ key }) => {
    const value = values[key] ?? "";
    return value === "" ? [] : [[key, value] as const];
  });
  return Object.fromEntries(filled);
}
