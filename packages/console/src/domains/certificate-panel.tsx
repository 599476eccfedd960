import type { ConnectionDetail } from "@mooring/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useWorkspace } from "../api/workspace.tsx";
import { Icon } from "../ui/icon.tsx";
import { Badge, type Tone } from "../ui/status.tsx";
import { Ago, At } from "../ui/time.tsx";
import { announce, announceError } from "../ui/toast.tsx";
import { CertificateHistory } from "./certificate-history.tsx";
import { words } from "./state-text.ts";
import { caErrorText } from "./timeline/timeline-text.ts";

const tones: Readonly<Record<ConnectionDetail["certificate"]["status"], Tone>> = {
  none: "neutral",
  pending: "info",
  issued: "good",
  renewing: "good",
  failed: "bad",
  expired: "bad",
  revoked: "bad",
};

export function CertificatePanel({ connection }: { readonly connection: ConnectionDetail }) {
  const { certificate } = connection;
  return (
    <section className="panel" aria-label="Certificate">
      <header>
        <h2>Certificate</h2>
        <Badge tone={tones[certificate.status]}>{words(certificate.status)}</Badge>
      </header>
      <dl className="facts body">
        <dt>Valid until</dt>
        <dd>
          {certificate.not_after === null ? (
            "–"
          ) : (
            <>
              <At at={certificate.not_after} /> (<Ago at={certificate.not_after} />)
            </>
          )}
        </dd>
        <dt>Issuer</dt>
        <dd>{certificate.ca ?? "–"}</dd>
        <dt>Source</dt>
        <dd>{certificate.source === null ? "–" : words(certificate.source)}</dd>
        {certificate.next_attempt_at === null ? null : (
          <>
            <dt>Next attempt</dt>
            <dd>
              <Ago at={certificate.next_attempt_at} />
            </dd>
          </>
        )}
        {certificate.last_error === null ? null : (
          <>
            <dt>Last error</dt>
            <dd className="breakable">{caErrorText(certificate.last_error)}</dd>
          </>
        )}
        {certificate.fingerprint === null ? null : (
          <>
            <dt>SHA-256</dt>
            <dd>
              <code>{certificate.fingerprint}</code>
            </dd>
          </>
        )}
      </dl>
      <CertificateHistory connection={connection} />
      <RetryCertificate connection={connection} />
    </section>
  );
}

/** Only where an attempt has failed or waits: elsewhere there is nothing to retry. */
function RetryCertificate({ connection }: { readonly connection: ConnectionDetail }) {
  const { api, environment, may } = useWorkspace();
  const queryClient = useQueryClient();
  const retry = useMutation({
    mutationFn: () => api.connections.retryCertificate(connection.id),
    async onSuccess() {
      announce("The certificate is ordered again now.");
      await queryClient.invalidateQueries({ queryKey: [environment, "connection", connection.id] });
    },
    onError: announceError,
  });
  const { status, next_attempt_at } = connection.certificate;
  const canRetry = ["failed", "expired", "revoked"].includes(status) || next_attempt_at !== null;
  if (!canRetry || !may("support")) return null;
  return (
    <footer>
      <button
        type="button"
        className="button small"
        disabled={retry.isPending}
        onClick={() => retry.mutate()}
      >
        <Icon name="refresh" /> Retry now
      </button>
    </footer>
  );
}
