import { readFileSync, writeFileSync } from "node:fs";
import { differenceOf } from "./accelerated-differences.ts";
import { closeBrowser } from "./browser.ts";
import type { StrangerCase } from "./cases.ts";
import { closeFirefox } from "./firefox.ts";
import { type Front, type Fronts, startFronts } from "./fronts.ts";
import { startGrpcServer } from "./grpc-server.ts";
import { startStrangersOrigin } from "./origin.ts";

/** What is seen through each front. */
export interface Outcomes<T = string> {
  readonly ours: T;
  readonly accelerated: T;
  readonly caddy: T;
  readonly nginx: T;
}

export interface Row extends Outcomes {
  readonly client: string;
  readonly name: string;
  readonly isDivergence: boolean;
}

/** Does the same through all fronts, at the same time. */
export async function throughAll<T>(
  { all: [ours, accelerated, caddy, nginx] }: Fronts,
  run: (front: Front) => Promise<T>,
): Promise<Outcomes<T>> {
  const outcomes = await Promise.all([run(ours), run(accelerated), run(caddy), run(nginx)]);
  return { ours: outcomes[0], accelerated: outcomes[1], caddy: outcomes[2], nginx: outcomes[3] };
}

/**
 * Starts the origin, also one for gRPC where asked, and the fronts for the duration of the work.
 * The accelerated one must have been accelerated until the end.
 */
export async function withFronts<T>(
  work: (fronts: Fronts) => Promise<T>,
  { hasGrpc }: { readonly hasGrpc: boolean } = { hasGrpc: false },
): Promise<T> {
  const origin = await startStrangersOrigin();
  const grpc = hasGrpc ? await startGrpcServer(null) : null;
  try {
    const fronts = await startFronts({ web: origin.port, grpc: grpc?.port ?? null });
    try {
      const result = await work(fronts);
      await fronts.confirmAcceleration();
      return result;
    } finally {
      await closeBrowser();
      await closeFirefox();
      await fronts.stop();
    }
  } finally {
    await grpc?.stop();
    await origin.close();
  }
}

/** The rows of the cases, of which so many run at the same time. */
export async function runCases(
  cases: readonly StrangerCase[],
  fronts: Fronts,
  atOnce = 1,
): Promise<Row[]> {
  const runCase = async ({ client, name, run, isDivergence }: StrangerCase): Promise<Row> => {
    const outcomes = await throughAll(fronts, run);
    return { client, name, ...outcomes, isDivergence: isDivergence ?? false };
  };
  const rows: Row[] = [];
  for (let at = 0; at < cases.length; at += atOnce) {
    rows.push(...(await Promise.all(cases.slice(at, at + atOnce).map(runCase))));
  }
  return rows;
}

/** Ours is the odd one out: the two others agree on something else. */
export function isOdd({ ours, caddy, nginx }: Row): boolean {
  return caddy === nginx && ours !== caddy;
}

/** Through the accelerator it differs from ours without a stated reason; or a reason is stale. */
export function isOddAccelerated(row: Row): boolean {
  return (row.accelerated !== row.ours) !== (differenceOf(row) !== null);
}

const file = "docs/edge-conformance.md";
/** The parts of the page after the light clients, by their titles. */
const titles = {
  frames: "## HTTP/2 frames",
  heavy: "## Go, Java, Firefox, gRPC and scanners",
} as const;

const framesNote = `What a server makes of frames, right and wrong, in the cases of h2spec: an answer, an error of the stream,
an error of the connection, or nothing (a PING after it is answered).
`;

const introduction = `# Conformance of the edge

What clients that nobody here wrote see through our edge, through Caddy and through nginx, in front of
the same origin: the status and the body, or what the case is about. \`npm run conformance\` writes this
page, and tests compare it. Where the two others agree and ours differs, **it is bold** and the reason is in
[divergences](divergences.md#from-other-proxies). "Accelerated" is the same edge behind the
[accelerator](edge.md#the-accelerator), with the name promoted: what visitors see is the same, or it is bold and the
difference is among those listed there. These clients name a port in \`Host\`, so HAProxy ends their TLS and HTTP/2 and passes
their requests on; the requests of the frames below it serves itself.
`;

export interface Page {
  readonly light: readonly Row[];
  readonly frames: readonly Row[];
  readonly heavy: readonly Row[];
}

export function writePage({ light, frames, heavy }: Page): void {
  const parts = [
    introduction,
    formatTable(light),
    `${titles.frames}\n`,
    framesNote,
    formatTable(frames),
  ];
  writeFileSync(file, [...parts, `${titles.heavy}\n`, formatTable(heavy)].join("\n"));
}

/** The committed table of a part. */
export function storedTable(kind: keyof Page): string {
  const [light = "", rest = ""] = readFileSync(file, "utf8").split(`${titles.frames}\n`);
  const [frames = "", heavy = ""] = rest.split(`${titles.heavy}\n`);
  if (kind === "heavy") return heavy;
  return kind === "light"
    ? light.slice(introduction.length + 1)
    : frames.slice(framesNote.length + 1);
}

export function formatTable(rows: readonly Row[]): string {
  const cell = (text: string) => text.replaceAll("\n", " ").replaceAll("|", "\\|") || "nothing";
  return [
    "| Client | Case | Ours | Accelerated | Caddy | nginx |",
    "|---|---|---|---|---|---|",
    ...rows.map((row) => {
      const ours = isOdd(row) ? `**${cell(row.ours)}**` : cell(row.ours);
      const isSame = row.accelerated === row.ours;
      const accelerated = isSame ? "same" : `**${cell(row.accelerated)}**`;
      const outcomes = [ours, accelerated, cell(row.caddy), cell(row.nginx)];
      return `| ${[row.client, row.name, ...outcomes].join(" | ")} |`;
    }),
    "",
  ].join("\n");
}
