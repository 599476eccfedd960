import type { RuntimeApi } from "./runtime-api.ts";

/** A request that HAProxy serves. */
export interface Stream {
  /** Another stream may have it later. */
  readonly id: string;
  readonly ageMs: number;
}

export interface Upload {
  readonly id: string;
  /** Of its body, so far. */
  readonly bytes: number;
  /** The origin has not taken all of it: the visitor can send no more. */
  readonly isHeldUp: boolean;
}

/** Answers of the size of some hundred streams, so that each is complete at once. */
const streamsPerCommand = 100;

/** What HAProxy waits for at the origin, as bits. HAProxy 3.0 keeps unsent bytes out of `htx`. */
const waitsToSend = 2;

/** What goes to origins. */
export async function listStreams(api: RuntimeApi): Promise<readonly Stream[]> {
  const lines = (await api.run("show sess")).split("\n");
  return lines.flatMap((line) => {
    const [, id, age] = /^(0x[0-9a-f]+): .* be=slot\d+ .* age=(\w+) /.exec(line) ?? [];
    return id === undefined || age === undefined ? [] : [{ id, ageMs: parseAge(age) }];
  });
}

/** Those of the streams whose visitors have not sent all of their bodies. */
export async function readUploads(
  api: RuntimeApi,
  ids: readonly string[],
): Promise<readonly Upload[]> {
  const uploads: Upload[] = [];
  for (let at = 0; at < ids.length; at += streamsPerCommand) {
    const commands = ids.slice(at, at + streamsPerCommand).map((id) => `show sess ${id}`);
    const answer = await api.run(commands.join(";"));
    for (const one of answer.split(/^(?=0x[0-9a-f]+: \[)/m)) {
      const upload = parseUpload(one);
      if (upload !== null) uploads.push(upload);
    }
  }
  return uploads;
}

export async function cutStream(api: RuntimeApi, id: string): Promise<void> {
  await api.run(`shutdown session ${id}`);
}

/** Null for a request that is complete. */
function parseUpload(text: string): Upload | null {
  const id = /^0x[0-9a-f]+/.exec(text)?.[0];
  if (id === undefined || !/ req\.st=MSG_DATA /.test(text)) return null;
  const request = /^ +req=.* total=(\d+)\)[\s\S]*?^ +htx=.* data=(\d+) /m.exec(text);
  const origin = /^ +scb=.* sub=(\d)/m.exec(text);
  if (request === null || origin === null) {
    throw new Error("HAProxy does not say what a request has sent");
  }
  const isWaitingToSend = (Number(origin[1]) & waitsToSend) !== 0;
  return { id, bytes: Number(request[1]), isHeldUp: isWaitingToSend || Number(request[2]) > 0 };
}

const unitsMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

/** As HAProxy writes it: the two largest units. */
function parseAge(text: string): number {
  const parts = [...text.matchAll(/(\d+)([dhms])/g)];
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitsMs[unit as keyof typeof unitsMs],
    0,
  );
}
