import type { WebhookEndpoint } from "@mooring/sdk";
import { SelectField } from "../ui/field.tsx";

type Format = WebhookEndpoint["format"];

export const formatNames: Readonly<Record<Format, string>> = {
  standard: "Standard, signed",
  cloudflare: "Cloudflare's notification of custom hostnames",
};

interface Props {
  readonly value: Format;
  readonly onChange: (value: Format) => void;
}

export function FormatChoice({ value, onChange }: Props) {
  return (
    <SelectField
      label="Format"
      value={value}
      options={Object.entries(formatNames)}
      onChange={(chosen) => onChange(chosen === "cloudflare" ? "cloudflare" : "standard")}
    />
  );
}
