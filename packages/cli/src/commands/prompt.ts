import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Whether somebody sits at stdin who can answer. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Asks on stderr, so that stdout stays the result. What is typed is not shown when it is secret.
 * Null when the input ends or is given up.
 */
export function ask(
  question: string,
  options: { readonly isSecret: boolean },
): Promise<string | null> {
  // readline echoes by writing to its output; a secret's echo goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = options.isSecret ? nowhere : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // Only now: before, the terminal itself would show what somebody quick has typed.
  if (options.isSecret) process.stderr.write(question);
  return new Promise((resolve) => {
    let answer: string | null = null;
    lines.on("SIGINT", () => lines.close());
    lines.on("close", () => {
      if (options.isSecret || answer === null) process.stderr.write("\n");
      resolve(answer);
    });
    lines.question(options.isSecret ? "" : question, (text) => {
      answer = text;
      lines.close();
    });
  });
}

export async function confirm(question: string): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `, { isSecret: false });
  return /^y(es)?$/i.test((answer ?? "").trim());
}
