import { createHmac, timingSafeEqual } from "node:crypto";

/** How far the signed time may be from ours, either way; a captured delivery is worthless after. */
const toleranceSeconds = 300;

/**
 * Stripe's webhook signature: `t=<unix seconds>,v1=<hex>[,v1=<hex>…]`, each v1 an HMAC-SHA256 over
 * `<t>.<raw body>`. While a secret is rolled there are several, and one that fits suffices; other
 * schemes in the header prove nothing.
 */
export function isSignedByStripe(header: string, body: Buffer, secret: string, now: Date): boolean {
  const fields = header.split(",").map((part) => part.trim().split("=", 2));
  const times = fields.filter(([name]) => name === "t").map(([, value]) => value ?? "");
  const [time] = times;
  if (times.length !== 1 || time === undefined || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now.getTime() / 1_000 - Number(time)) > toleranceSeconds) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  return fields
    .filter(([name, value]) => name === "v1" && /^[0-9a-f]{64}$/.test(value ?? ""))
    .map(([, value]) => timingSafeEqual(Buffer.from(value ?? "", "hex"), expected))
    .includes(true);
}
