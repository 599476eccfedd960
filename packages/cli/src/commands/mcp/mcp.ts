import { type Command, InvalidArgumentError } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { listenForEnd } from "../../process-control.ts";
import { apiAction, examples } from "../api-command.ts";
import { isTextList, textOrNull } from "../input.ts";
import { addConfirm } from "./confirm.ts";

/** Daily use by a language model: reads freely, and writes what a person has confirmed. */
export function addMcp(program: Command, action: RegisterAction): void {
  const mcp = program
    .command("mcp")
    .description("serve the Model Context Protocol to an agent, on stdin and stdout")
    .option("--http", "on streamable HTTP instead; each client sends its own API key")
    .option("--host <address>", "with --http: listen there", "127.0.0.1")
    .option("--port <port>", "with --http: listen there, 0 for a free one", portNumber, 8090)
    .option("--public-url <url>", "with --http: how people reach it, for plans to confirm")
    .option("--allow-origin <origin...>", "with --http: pages that may call it");
  examples(
    mcp,
    "mooring mcp",
    "mooring mcp --http --port 8090",
    "# in the settings of an agent:",
    `# { "mcpServers": { "mooring": { "command": "mooring", "args": ["mcp"], "env": { "MOORING_API_KEY": "sk_test_…" } } } }`,
  );
  // The protocol's modules take half a second to load.
  apiAction(action, mcp, async ({ access, openClient, output, options }) => {
    const report = (error: unknown): void => {
      const message = `a request failed: ${String(error)}`;
      output.failure([message], { code: "internal", message });
    };
    if (options["http"] !== true) {
      const { serveStdio } = await import("./stdio-server.ts");
      await serveStdio(openClient, access().apiKey, report);
      return exitCode.done;
    }
    const { startMcpHttp } = await import("./http-server.ts");
    const { createPlans } = await import("./plans.ts");
    const origins = options["allowOrigin"];
    const listener = await startMcpHttp({
      host: textOrNull(options["host"]) ?? "127.0.0.1",
      port: Number(options["port"]),
      publicUrl: textOrNull(options["publicUrl"])?.replace(/\/+$/, "") ?? null,
      allowedOrigins: isTextList(origins) ? origins : [],
      openClient,
      plans: createPlans(Date.now),
      now: Date.now,
      report,
    });
    output.item(`MCP is served at ${listener.url}/mcp`, { url: `${listener.url}/mcp` });
    const end = listenForEnd();
    await end.asked;
    end.release();
    await listener.close();
    return exitCode.done;
  });
  addConfirm(mcp, action);
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("Give a port, 0 to 65535.");
}
