import { createServer, type Server } from "node:http";

/** An origin that greets, and can be told to keep its visitors waiting. */
export interface HoldingOrigin {
  readonly server: Server;
  hold(): HeldOrigin;
}

export interface HeldOrigin {
  waiting(): number;
  /** Answers these many of those that wait; all of them, and whoever comes later, unless told. */
  release(count?: number): void;
}

export async function startHoldingOrigin(): Promise<HoldingOrigin> {
  let held: (() => void)[] | null = null;
  const server = createServer((incoming, response) => {
    const answer = (): void => void response.end(`hello ${incoming.headers.host}`);
    if (held === null) answer();
    else held.push(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const hold = (): HeldOrigin => {
    const mine: (() => void)[] = [];
    held = mine;
    return {
      waiting: () => mine.length,
      release(count) {
        if (count === undefined) held = null;
        for (const answer of mine.splice(0, count ?? mine.length)) answer();
      },
    };
  };
  return { server, hold };
}
