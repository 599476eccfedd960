import type { KeyObject } from "node:crypto";
import type { ChallengeType } from "../../../edge/src/acme/authorization.ts";
import type { AcmeClient } from "../../../edge/src/acme/client.ts";
import type { Order } from "../../../edge/src/acme/order.ts";
import type { Timings } from "../../../edge/src/acme/transport.ts";
import { createCsr } from "../../../edge/src/x509/acme-x509.ts";
import { generateKey } from "../../../edge/src/x509/keys.ts";
import type { AcmeResponders } from "./responders.ts";

/** Short: a CA on loopback answers at once. */
export const fastTimings: Partial<Timings> = {
  requestTimeoutMs: 30_000,
  retryPauseMs: 5,
  noncePauseMs: 1,
  firstPollMs: 20,
  longestPollMs: 200,
  pollTimeoutMs: 60_000,
};

/** Publishes the responses to the order's challenges and waits for the validation. */
export async function prove(
  client: AcmeClient,
  responders: AcmeResponders,
  order: Order,
  type: ChallengeType,
): Promise<void> {
  for (const url of order.authorizations) {
    const authorization = await client.authorization(url);
    if (authorization.status === "valid") continue;
    const challenge = client.challengeFor(authorization, type);
    if (challenge === null) throw new Error(`the CA does not offer ${type}`);
    const answer = client.keyAuthorization(challenge.token);
    if (type === "http-01") responders.answerHttp(challenge.token, answer);
    else await responders.answerTls(order.hostname, answer);
    if (challenge.status === "pending") await client.respond(challenge);
    await client.waitValid(url);
  }
}

export interface Certificate {
  readonly chainPem: string;
  readonly key: KeyObject;
  readonly order: Order;
}

/** Finalizes a validated order and downloads its certificate. */
export async function collect(client: AcmeClient, order: Order): Promise<Certificate> {
  const key = await generateKey();
  const valid = await client.finalize(order, await createCsr(order.hostname, key));
  return { chainPem: await client.download(valid), key, order: valid };
}

export async function issue(
  client: AcmeClient,
  responders: AcmeResponders,
  hostname: string,
  type: ChallengeType,
): Promise<Certificate> {
  const order = await client.newOrder(hostname);
  await prove(client, responders, order, type);
  return collect(client, order);
}
