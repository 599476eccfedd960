import type { ConnectionDetail } from "@mooring/sdk";
import { useState } from "react";
import { SelectField, TextField } from "../ui/field.tsx";
import { ChangeablePanel, ChangeForm } from "./changeable-panel.tsx";

interface Props {
  readonly connection: ConnectionDetail;
}

/** Where visitors go: to an origin, or by a redirect to another name. */
export function ServingPanel({ connection }: Props) {
  return (
    <ChangeablePanel
      connection={connection}
      title="Origin and redirect"
      description="The edge follows within two seconds, without a new proof or certificate."
      form={(onDone) => <ServingForm connection={connection} onDone={onDone} />}
    >
      <dt>Redirects to</dt>
      <dd>{connection.redirect_to ?? "Nothing: it is served"}</dd>
      <dt>Origin</dt>
      <dd>{connection.origin_url ?? "The application's"}</dd>
      <dt>Host header</dt>
      <dd>{hostHeaders[connection.origin_host_header ?? ""]}</dd>
    </ChangeablePanel>
  );
}

const hostHeaders = {
  "": "As the application has it",
  preserve: "The visitor's",
  origin: "The origin's own",
} as const;

type HostHeader = keyof typeof hostHeaders;

function ServingForm({ connection, onDone }: Props & { readonly onDone: () => void }) {
  const [redirectTo, setRedirectTo] = useState(connection.redirect_to ?? "");
  const [originUrl, setOriginUrl] = useState(connection.origin_url ?? "");
  const [hostHeader, setHostHeader] = useState<HostHeader>(connection.origin_host_header ?? "");
  const readChanges = () => ({
    redirect_to: redirectTo.trim() === "" ? null : redirectTo.trim(),
    origin_url: originUrl.trim() === "" ? null : originUrl.trim(),
    origin_host_header: hostHeader === "" ? null : hostHeader,
  });
  return (
    <ChangeForm connection={connection} readChanges={readChanges} onDone={onDone}>
      <TextField
        label="Redirect to"
        value={redirectTo}
        onChange={setRedirectTo}
        hint="The hostname of another domain of the same customer; empty to serve this one."
      />
      <TextField
        label="Origin"
        value={originUrl}
        onChange={setOriginUrl}
        hint="Empty for the application's."
        placeholder="https://origin.example.com"
      />
      <SelectField<HostHeader>
        label="Host header"
        value={hostHeader}
        options={[
          ["", hostHeaders[""]],
          ["preserve", hostHeaders.preserve],
          ["origin", hostHeaders.origin],
        ]}
        onChange={setHostHeader}
      />
    </ChangeForm>
  );
}
