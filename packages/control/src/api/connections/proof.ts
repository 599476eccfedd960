import { z } from "zod";
import { isValidationRecord } from "../../domain/certificates/validation.ts";
import { type Connection, holdsClaim } from "../../domain/connections/connection.ts";
import { ownershipMethods } from "../../domain/ownership/proof-methods.ts";
import { toDesired } from "../../domain/records/desired-records.ts";
import type { NeededRecords } from "../../domain/records/needed-records.ts";
import { RecordBody, Time, time } from "../http/route.ts";

const NeededRecordBody = z
  .object({
    ...RecordBody.shape,
    purpose: z
      .enum(["ownership", "traffic", "validation"])
      .describe(
        "`traffic`: visitors follow it. `ownership`: only proves. `validation`: for the certificate, and leads no visitor anywhere",
      ),
    optional: z
      .boolean()
      .describe("Proves ownership before the name is switched; another record proves it too"),
  })
  .meta({ id: "NeededRecord" });

/** What a connection's detail says of the proof of its ownership. */
export const ownershipFields = {
  ownership: z
    .object({ method: z.enum(ownershipMethods), proven_at: Time })
    .nullable()
    .describe(
      "How the holder of the hostname has proven it: by its TXT record, a CNAME to `target`, or the CNAME for validation. `trust_dns`: an operator's import took DNS that leads here as proof; `import`: that, with the name's certificate and key. null until then",
    ),
};

/** What to ask the customer of a connection for. */
export const neededFields = {
  target: z
    .string()
    .describe(
      "What the hostname's CNAME points to: a name of this connection's own, or with EDGE_TARGETS=shared the edge's",
    ),
  needed_records: z
    .array(NeededRecordBody)
    .describe(
      "What to ask the customer for: the desired or pending records, and the TXT record only where none of them proves ownership. While a cut-over is prepared none that visitors follow",
    ),
};

export const ObservedRecordBody = z
  .object({ ...RecordBody.shape, propagated: z.boolean(), observed_at: Time })
  .meta({ id: "ObservedRecord" });

export const ValidationBody = z
  .object({
    name: z.string().describe("Where the CNAME stands in the customer's zone"),
    target: z.string().describe("The connection's name in the validation zone"),
    status: z.enum(["absent", "right", "wrong"]).describe("As the last check saw it"),
  })
  .meta({
    id: "Validation",
    description:
      "A CNAME that lets the service prove control for every certificate: needed for a wildcard and a cut-over, optional otherwise",
  });

export function ownershipBody({ state, ownership }: Connection) {
  if (ownership === null || !holdsClaim(state)) return null;
  return { method: ownership.method, proven_at: time(ownership.provenAt) };
}

export function neededBody(
  hostname: string,
  { ownership, now }: NeededRecords,
): z.input<typeof NeededRecordBody>[] {
  const { need, record } = ownership;
  const optional = need === "optional";
  return [
    ...(need === "none" ? [] : [{ ...toDesired(record), purpose: "ownership" as const, optional }]),
    ...now.map((one) => {
      const isValidation = isValidationRecord(hostname, { name: one.host, type: one.type });
      const purpose = isValidation ? ("validation" as const) : ("traffic" as const);
      return { ...one, purpose, optional: false };
    }),
  ];
}
