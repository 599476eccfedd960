import type { ZoneLine } from "../../clients/connecting.ts";
import type { Installation, VendorAnswer, VendorCall } from "./product.ts";

const base = "https://api.cloudflare.com/client/v4";

/** The requests that the products on Cloudflare's API have in common. */
export function cloudflareCalls(
  { project, send, token }: Installation,
  more: Readonly<Record<string, string>> = {},
) {
  const collection = `${base}/zones/${project}/custom_hostnames`;
  const request = (
    method: VendorCall["method"],
    url: string,
    body?: object,
  ): Promise<VendorAnswer> =>
    send({
      method,
      url,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...more,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    create: (body: object) => request("POST", collection, body),
    find: (hostname: string) => request("GET", `${collection}?hostname=${hostname}`),
    read: (id: string) => request("GET", `${collection}/${id}`),
    edit: (id: string, body: object) => request("PATCH", `${collection}/${id}`, body),
    remove: (id: string) => request("DELETE", `${collection}/${id}`),
    fallbackOrigin: () => request("GET", `${collection}/fallback_origin`),
  };
}

/** What a customer takes from a sentence that names a TXT record. */
export function textRecordsIn(messages: readonly string[]): readonly ZoneLine[] {
  return messages.flatMap((message) => {
    const found = /TXT record (\S+) with the value (\S+?)\.?$/.exec(message);
    return found === null ? [] : [{ host: found[1] ?? "", type: "TXT", value: found[2] ?? "" }];
  });
}
