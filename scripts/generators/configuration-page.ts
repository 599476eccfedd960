import { byVariable, readConfig, type Variable } from "../../packages/control/src/config/config.ts";
import { groups, words } from "./configuration-words.ts";

/** Every variable with its default and meaning. The defaults are what an empty environment gives. */
export function configurationPage(): string {
  const defaults = byVariable(readConfig({}));
  requireAll(Object.keys(defaults));
  return [
    "# Configuration",
    "",
    "Everything is set by environment variables, read once at the start. A bad value stops the start with",
    "one line for each problem; an empty variable counts as not set. `mooring doctor` looks at the whole",
    "set-up and says how to mend it. This page is written by `npm run generate` from the code's own list.",
    ...groups.flatMap(({ title, about, variables }) => [
      "",
      `## ${title}`,
      "",
      about,
      "",
      "| Variable | Default | Meaning |",
      "|---|---|---|",
      ...variables.map((name) => row(name, defaults[name])),
    ]),
    "",
    "## The command line",
    "",
    "The tenant's commands of `mooring` read `MOORING_URL`, `MOORING_API_KEY` and `MOORING_APP`: see",
    "[the command line](cli.md).",
    "",
  ].join("\n");
}

/** The types see that every variable has words; this, that it has exactly one place. */
function requireAll(known: readonly string[]): void {
  const placed = groups.flatMap(({ variables }) => variables);
  const twice = placed.filter((name, at) => placed.indexOf(name) !== at);
  const lost = known.filter((name) => !placed.some((one) => one === name));
  const gone = placed.filter((name) => !known.includes(name));
  const problems = [
    ...twice.map((name) => `${name} is listed twice`),
    ...lost.map((name) => `${name} is missing`),
    ...gone.map((name) => `${name} is not read any more`),
  ];
  if (problems.length > 0) {
    throw new Error(`scripts/generators/configuration-words.ts: ${problems.join("; ")}`);
  }
}

function row(name: Variable, value: unknown): string {
  const { meaning, fallback } = words[name];
  return `| \`${name}\` | ${fallback ?? shown(name, value)} | ${meaning} |`;
}

const durations: ReadonlySet<Variable> = new Set([
  "RECHECK_INTERVAL",
  "STALL_AFTER",
  "GIVE_UP_AFTER",
]);

function shown(name: Variable, value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (durations.has(name)) return `\`${inUnits(Number(value))}\``;
  if (Array.isArray(value)) return value.length === 0 ? "none" : `\`${value.join(",")}\``;
  return `\`${String(value)}\``;
}

/** In the largest unit up to hours that it is a whole number of. */
function inUnits(ms: number): string {
  const units = [
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1_000],
  ] as const;
  const unit = units.find(([, size]) => ms % size === 0);
  return unit ? `${ms / unit[1]}${unit[0]}` : `${ms}ms`;
}
