import type { Listing, Page } from "@mooring/sdk";
import { type Command, InvalidArgumentError } from "commander";
import type { ApiCall } from "./api-command.ts";
import { textOrNull } from "./input.ts";
import { paint } from "./text/paint.ts";
import { type Column, formatTable } from "./text/table.ts";

/** The options of every list. */
export function withPaging(command: Command): Command {
  return command
    .option("--limit <count>", "at most this many, 1 to 100", pageSize)
    .option("--cursor <cursor>", "continue after an earlier page")
    .option("--all", "every page");
}

function pageSize(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 100) return count;
  throw new InvalidArgumentError("Give a whole number from 1 to 100.");
}

export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

export function pageQuery(options: Readonly<Record<string, unknown>>): PageQuery {
  const cursor = textOrNull(options["cursor"]);
  const { limit } = options;
  const size = typeof limit === "number" ? limit : options["all"] === true ? 100 : null;
  return { ...(size === null ? {} : { limit: size }), ...(cursor === null ? {} : { cursor }) };
}

/** Shows one page, or with `--all` every page; with `--json` in the shape of an API page. */
export async function showPage<T>(
  { output, options, width }: ApiCall,
  listing: Listing<T>,
  columns: readonly Column<T>[],
  emptyText: string,
): Promise<void> {
  const page: Page<T> =
    options["all"] === true
      ? { data: await listing.toArray(), next_cursor: null }
      : await listing.page();
  if (page.data.length === 0) {
    output.result(paint("dim", emptyText), page);
    return;
  }
  const more =
    page.next_cursor === null
      ? []
      : ["", paint("dim", `There is more: --all, or --cursor ${page.next_cursor}`)];
  output.result([formatTable(columns, page.data, width), ...more].join("\n"), page);
}
