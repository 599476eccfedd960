import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * - `names`: an ordinary word that is a bad name
 * - `names and prose`: not the texts in quotes, which users and other programs read
 */
type Scope = "names" | "names and prose";

/**
 * Fails on words that this project has retired, and names the word to use: one word per idea, the
 * field's own. The glossary is in ARCHITECTURE.md. Identifiers are searched by their parts, so that
 * `lookNow` is found as `look`.
 */
interface RetiredWord {
  /** Matched against text in which the parts of identifiers are separated. */
  readonly pattern: RegExp;
  readonly use: string;
  /** Where it is searched; everywhere unless set. */
  readonly scope?: Scope;
}

const retired: readonly RetiredWord[] = [
  { pattern: /\blook(s|ed|ing)?\b(?! ?-?up\b)/, use: "check (the act), lookup, read, search" },
  { pattern: /\bmend(s|ed|ing)?\b/, use: "fix" },
  { pattern: /\btold\b/, use: "reported, notified, targets" },
  { pattern: /\bkept\b/, use: "cached, stored, retained, snapshot" },
  { pattern: /\bwish(es|ed)?\b/, use: "scope, options" },
  { pattern: /\brail\b/, use: "automatic write" },
  { pattern: /\bspared?\b/, use: "capped" },
  { pattern: /\bhear(s|d|ing)?\b/, use: "subscribe" },
  { pattern: /\bgreet(s|ed|ing)?\b/, use: "startTls" },
  { pattern: /\bknock(s|ed|ing)?\b/, use: "ping" },
  { pattern: /\bat hand\b/, use: "cached" },
  { pattern: /\bpassengers?\b/, use: "waiters" },
  { pattern: /\bhappenings?\b/, use: "event" },
  { pattern: /\bpatience\b/, use: "timeout" },
  { pattern: /\bwhoever\b/, use: "name the actor" },
  { pattern: /\bprolong(s|ed|ing)?\b/, use: "extend" },
  { pattern: /\bturns\b/, use: "repeatEvery", scope: "names" },
  { pattern: /\bfigures?\b/, use: "metrics", scope: "names" },
  { pattern: /\bstanding\b/, use: "health, status", scope: "names" },
  { pattern: /\bwords (of|for)\b/, use: "messages", scope: "names" },
  {
    pattern: /\bmooring (test |live )?(key|token)\b|\bbearer \$(?!\{|mooring api key\b)/,
    use: "MOORING_API_KEY",
  },
  { pattern: /\b(write|claim|mail|records) seen\b/, use: "result, state, observation" },
  {
    pattern: /(?<!\bin(to)? )\bplaces?\b/,
    use: "offset, position, location, zone, associated data",
    scope: "names",
  },
  { pattern: /\bleads? here\b/, use: "resolves to us", scope: "names and prose" },
  { pattern: /\bgo(es)? on\b/, use: "continues", scope: "names and prose" },
  { pattern: /\bis over\b(?! tcp\b)/, use: "has ended", scope: "names and prose" },
  { pattern: /\banew\b/, use: "again" },
  { pattern: /\bastray\b/, use: "misdirected" },
  { pattern: /\bdesk\b/, use: "request handler", scope: "names" },
  { pattern: /\btid(y|ies|ied|ying)\b/, use: "sweep" },
  { pattern: /\bdeaf\b/, use: "ignoreWakes" },
];

/** Names that are stored or that other programs read, and texts of the past: they stay. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // Releases are described as they were.
  "CHANGELOG.md": ["anew", "goes on"],
  // A field of what `mooring import --json` prints.
  "packages/cli/src/operator/import/import.ts": ["place"],
  "packages/cli/src/operator/import/import.db.test.ts": ["place"],
  // A field of the state in the store of hosts on disk.
  "packages/edge/src/feed/nats/stream-hosts.ts": ["place"],
  "packages/edge/src/hosts/store/host-node.ts": ["place"],
  "packages/edge/src/hosts/store/host-store.ts": ["place"],
  "packages/edge/src/hosts/view/known-hosts.ts": ["place"],
};

/** Migrations are never edited; the rest is not ours or names the words themselves. */
const excluded =
  /^packages\/control\/(migrations\/|schema\.sql)|\.gen\.ts$|\/fixtures\/|package-lock\.json|^LICENSE|^scripts\/check\/vocabulary\.ts$|\/locales\/(?!en)/;
const included = /\.(ts|tsx|js|mjs|md|yaml|yml|html)$/;

const files = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => included.test(file) && !excluded.test(file));

/** Parts of identifiers become words: `lastLookAt` and `last_look_at` are "last look at". */
function separate(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/_/g, " ")
    .toLowerCase();
}

/** Identifiers of a line of code, without the text of strings, regular expressions and elements. */
function namesIn(line: string): readonly string[] {
  const code = line
    .replace(/'"'|"[^"]*"|`[^`]*`|[:=(,] ?\/.*\//g, "")
    .replace(/(<\w+[^<>]*>)[^<>{}]*(?=<\/)/g, "$1");
  return code.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

function* findIn(file: string): Generator<string> {
  const isProse = /\.(md|yaml|yml|html)$/.test(file);
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
    const text = separate(line);
    const isComment = isProse || /^\s*(\/\/|\/?\*)/.test(line);
    const names = isComment ? "" : namesIn(line).map(separate).join("\n");
    const inScope = { names, "names and prose": isComment ? text : names };
    for (const { pattern, use, scope } of retired) {
      const found = pattern.exec(scope === undefined ? text : inScope[scope]);
      if (found && !exceptions[file]?.includes(found[0])) {
        yield `${file}:${index + 1}: "${found[0]}" is retired; use ${use}`;
      }
    }
  }
}

const problems = files.flatMap((file) => [...findIn(file)]);
for (const problem of problems) console.error(problem);
if (problems.length > 0) console.error(`${problems.length} retired words`);
process.exitCode = problems.length === 0 ? 0 : 1;
