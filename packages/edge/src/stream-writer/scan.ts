import { DeliverPolicy, type JetStreamClient } from "@nats-io/jetstream";
import { streamName } from "../feed/nats/subjects.ts";
import { removedHeader } from "../feed/nats/values.ts";

export interface ScannedMessage {
  readonly subject: string;
  readonly sequence: number;
  readonly writtenAt: Date;
  readonly isRemoved: boolean;
}

const expires = 5_000;

/** The messages of these subjects that the stream has up to a sequence, without their values. */
export async function* scanStream(
  client: JetStreamClient,
  subjects: string,
  upTo: number,
): AsyncGenerator<ScannedMessage> {
  const consumer = await client.consumers.get(streamName, {
    filter_subjects: subjects,
    headers_only: true,
    deliver_policy: DeliverPolicy.All,
  });
  for (;;) {
    const { num_pending: left } = await consumer.info();
    if (left === 0) return;
    const messages = await consumer.fetch({ max_messages: Math.min(left, 500), expires });
    for await (const message of messages) {
      if (message.seq > upTo) return;
      yield {
        subject: message.subject,
        sequence: message.seq,
        writtenAt: message.time,
        isRemoved: message.headers?.has(removedHeader) ?? false,
      };
    }
  }
}
