import type { WriteStream } from "node:tty";
import { processEnvironment } from "./config.ts";

/** What a person looks at: how wide it is, whether it shows colours, and a block that is redrawn. */
export interface Terminal {
  readonly columns: number;
  readonly hasColour: boolean;
  /** Shows these lines in the place of those that were drawn last. */
  draw(lines: readonly string[]): void;
}

/** Where a terminal does not tell, and the least that text is laid out for. */
const usual = 80;
const narrowest = 40;

/** Null when the stream is no terminal, or one that can do nothing but print. */
export function terminalOf(stream: WriteStream): Terminal | null {
  const env = processEnvironment();
  if (!stream.isTTY || env["TERM"] === "dumb") return null;
  let drawn = 0;
  return {
    get columns() {
      return Math.max(narrowest, stream.columns || usual);
    },
    // https://no-color.org: any value but the empty one.
    hasColour: !env["NO_COLOR"],
    draw(lines) {
      // ECMA-48: CUU moves up, ED clears from there to the end.
      const back = drawn > 0 ? `\u001b[${drawn}A\u001b[J` : "";
      stream.write(`${back}${lines.map((line) => `${line}\n`).join("")}`);
      drawn = lines.length;
    },
  };
}
