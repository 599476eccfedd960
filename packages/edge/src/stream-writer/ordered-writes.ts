import type { JetStreamClient } from "@nats-io/jetstream";
import { headers } from "@nats-io/transport-node";
import type { Signatures } from "../feed/nats/signatures.ts";
import { encodeValue, removedHeader } from "../feed/nats/values.ts";

/**
 * Writes values in order. Each message says which one it follows, and the server refuses it after
 * any other: a process that was frozen cannot write over what its successor has written. So its
 * number is known before, and is signed with it.
 */
export interface OrderedWrites {
  /** The number of the last message of the stream. */
  sequence(): number;
  /** Writes the values, some at once; null removes what was there. */
  put(values: Iterable<readonly [subject: string, value: unknown]>): Promise<void>;
}

const atOnce = 128;

export function createOrderedWrites(
  client: JetStreamClient,
  signatures: Signatures,
  last: number,
): OrderedWrites {
  let sequence = last;

  const send = async (batch: readonly (readonly [string, unknown])[]): Promise<void> => {
    const sent = batch.map(([subject, value], index) => {
      const lastSequence = sequence + index;
      const data = encodeValue(value);
      const signed = { subject, sequence: lastSequence + 1, data };
      return client.publish(subject, data, {
        expect: { lastSequence },
        headers: signatures.signValue(signed, value === null ? removed() : undefined),
      });
    });
    // All have ended before the caller may begin again.
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
    sequence += batch.length;
  };

  return {
    sequence: () => sequence,
    async put(values) {
      let batch: (readonly [string, unknown])[] = [];
      for (const value of values) {
        batch.push(value);
        if (batch.length < atOnce) continue;
        await send(batch);
        batch = [];
      }
      if (batch.length > 0) await send(batch);
    },
  };
}

function removed(): ReturnType<typeof headers> {
  const fields = headers();
  fields.set(removedHeader, "1");
  return fields;
}
