import { readFile } from "node:fs/promises";
import { Argument, type Command } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { processEnvironment } from "../../config.ts";
import { examples } from "../api-command.ts";
import { textOrNull } from "../input.ts";

/** A published command has it beside its own files. */
const source = new URL("./node-preload.js", import.meta.url);

/** `mooring shim node` prints a module that sends a product's calls of a vendor's API to us. */
export function addShim(program: Command, action: RegisterAction): void {
  const shim = program
    .command("shim")
    .description("print a module that sends a product's calls of a vendor's domain API here")
    .addArgument(new Argument("<runtime>", "what the product runs on").choices(["node"]));
  examples(
    shim,
    "mooring shim node --url https://domains.example.com > mooring-shim.mjs",
    "MOORING_API_KEY=sk_live_… node --import ./mooring-shim.mjs server.js",
    "# Next.js: beside the app folder, instead of --import",
    "mooring shim node > instrumentation.js",
  );
  action(shim, async (output, [runtime], options) => {
    const url = textOrNull(options["url"]) ?? textOrNull(processEnvironment()["MOORING_URL"]);
    const text = await readFile(source, "utf8");
    const module = text.replace(
      'const defaultUrl = "";',
      () => `const defaultUrl = ${JSON.stringify(url ?? "")};`,
    );
    output.result(module.trimEnd(), { runtime, module });
    return exitCode.done;
  });
}
