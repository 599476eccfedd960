import { readFileSync, writeFileSync } from "node:fs";
import { closeBrowser } from "./browser.ts";
import type { StrangerCase } from "./cases.ts";
import { type Fronts, startFronts } from "./fronts.ts";
import { startStrangersOrigin } from "./origin.ts";

export interface Row {
  readonly client: string;
  readonly name: string;
  readonly ours: string;
  readonly caddy: string;
  readonly nginx: string;
  readonly isDivergence: boolean;
}

/** Starts the origin and the three fronts for the duration of the work. */
export async function withFronts<T>(work: (fronts: Fronts) => Promise<T>): Promise<T> {
  const origin = await startStrangersOrigin();
  try {
    const fronts = await startFronts(origin.port);
    try {
      return await work(fronts);
    } finally {
      await closeBrowser();
      await fronts.stop();
    }
  } finally {
    await origin.close();
  }
}

export async function runCases(cases: readonly StrangerCase[], fronts: Fronts): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { client, name, run, isDivergence = false } of cases) {
    const [ours = "", caddy = "", nginx = ""] = await Promise.all(
      fronts.all.map((one) => run(one)),
    );
    rows.push({ client, name, ours, caddy, nginx, isDivergence });
  }
  return rows;
}

/** Ours is the odd one out: the two others agree on something else. */
export function isOdd({ ours, caddy, nginx }: Row): boolean {
  return caddy === nginx && ours !== caddy;
}

const file = "docs/edge-conformance.md";
const heavyTitle = "## Go and Java";

const introduction = `# Conformance of the edge

What clients that nobody here wrote see through our edge, through Caddy and through nginx, in front of
the same origin: the status and the body, or what the case is about. \`npm run conformance\` writes this
page, and tests compare it. Where the two others agree and ours differs, **it is bold** and the reason is in
[divergences](divergences.md#from-other-proxies).
`;

export function writePage(light: readonly Row[], heavy: readonly Row[]): void {
  const parts = [introduction, tableOf(light), `${heavyTitle}\n`, tableOf(heavy)];
  writeFileSync(file, parts.join("\n"));
}

/** The committed table of the light or of the heavy clients. */
export function storedTable(kind: "light" | "heavy"): string {
  const [light = "", heavy = ""] = readFileSync(file, "utf8").split(`${heavyTitle}\n`);
  return kind === "heavy" ? heavy : light.slice(introduction.length + 1);
}

export function tableOf(rows: readonly Row[]): string {
  const cell = (text: string) => text.replaceAll("\n", " ").replaceAll("|", "\\|") || "nothing";
  return [
    "| Client | Case | Ours | Caddy | nginx |",
    "|---|---|---|---|---|",
    ...rows.map((row) => {
      const ours = isOdd(row) ? `**${cell(row.ours)}**` : cell(row.ours);
      return `| ${row.client} | ${row.name} | ${ours} | ${cell(row.caddy)} | ${cell(row.nginx)} |`;
    }),
    "",
  ].join("\n");
}
