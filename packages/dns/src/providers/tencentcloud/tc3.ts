import { createHash, createHmac } from "node:crypto";

const algorithm = "TC3-HMAC-SHA256";

/**
 * The headers of Tencent Cloud's signature (version 3) for a JSON body that is sent to the root.
 */
export function signTc3(
  request: { readonly host: string; readonly body: string },
  keys: { readonly id: string; readonly secret: string },
  at: Date,
): Readonly<Record<string, string>> {
  const { host, body } = request;
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const date = at.toISOString().slice(0, 10);
  const [service = ""] = host.split(".");
  const scope = `${date}/${service}/tc3_request`;
  const names = "content-type;host";
  const lines = ["content-type:application/json", `host:${host}`, ""];
  const canonical = ["POST", "/", "", ...lines, names, sha256(body)].join("\n");
  const message = [algorithm, timestamp, scope, sha256(canonical)].join("\n");
  const key = [date, service, "tc3_request"].reduce(
    (secret: Buffer, part) => hmac(secret, part),
    Buffer.from(`TC3${keys.secret}`),
  );
  const signature = hmac(key, message).toString("hex");
  return {
    "x-tc-timestamp": timestamp,
    authorization: `${algorithm} Credential=${keys.id}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
