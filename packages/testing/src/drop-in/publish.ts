import { type Caller, putZone } from "../clients/connecting.ts";

/** The TXT record that a vendor's API asks for. */
export interface Proof {
  readonly name?: string;
  readonly value?: string;
}

/**
 * Does what a customer does: adds the records to the zone, which has two labels, with or without
 * the CNAME.
 */
export async function publish(
  caller: Caller,
  hostname: string,
  proof: Proof | undefined,
  isPointing: boolean,
): Promise<void> {
  const zone = hostname.split(".").slice(-2).join(".");
  await putZone(caller, zone, [
    { host: proof?.name ?? "", type: "TXT", value: proof?.value ?? "" },
    ...(isPointing ? [{ host: hostname, type: "CNAME", value: "edge.localhost" }] : []),
  ]);
}
