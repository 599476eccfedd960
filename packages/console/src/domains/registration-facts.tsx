import type { ConnectionDetail } from "@mooring/sdk";
import { At } from "../ui/time.tsx";

type Registration = NonNullable<ConnectionDetail["registration"]>;

/** What the registry says of the domain: rows of the facts. Its texts are somebody else's. */
export function RegistrationFacts({
  registration,
}: {
  readonly registration: Registration | null;
}) {
  if (registration === null) return null;
  const { expires_at, registrar, status, checked_at } = registration;
  return (
    <>
      <dt>Registration ends</dt>
      <dd>
        {expires_at === null ? "Not published" : <At at={expires_at} />}
        <span className="sub">
          Asked <At at={checked_at} />
        </span>
      </dd>
      {registrar === null ? null : (
        <>
          <dt>Registrar</dt>
          <dd className="breakable">{registrar}</dd>
        </>
      )}
      {status.length === 0 ? null : (
        <>
          <dt>Registry status</dt>
          <dd className="breakable">{status.join(", ")}</dd>
        </>
      )}
    </>
  );
}
