import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  answerConfirmation,
  type OpenClient,
  plansPath,
  problem,
  sendJson,
} from "./confirm-requests.ts";
import { type Listener, listen, type Report } from "./listener.ts";
import { createPlans, type Plans } from "./plans.ts";
import { createMcpServer } from "./server.ts";

/** MCP over stdin and stdout until stdin ends. Everything else goes to stderr. */
export async function serveStdio(
  openClient: OpenClient,
  apiKey: string,
  report: Report,
): Promise<void> {
  const plans = createPlans(Date.now);
  const confirmation = lazyListener(plans, openClient, report);
  const server = createMcpServer({
    client: openClient(apiKey),
    apiKey,
    plans,
    confirmUrl: async (id) => `${(await confirmation.open()).url}${plansPath}${id}`,
  });
  const ended = once(process.stdin, "end");
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
  await confirmation.close();
}

/** On loopback, and only once a client that cannot ask needs it. */
function lazyListener(plans: Plans, openClient: OpenClient, report: Report) {
  let opened: Promise<Listener> | null = null;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isPlan = request.url?.startsWith(plansPath) ?? false;
    if (isPlan && request.headers.origin === undefined) {
      return answerConfirmation(request, response, plans, openClient);
    }
    sendJson(response, 404, problem("not_found", "Nothing is here."));
  };
  return {
    open() {
      opened ??= listen("127.0.0.1", 0, answer, report);
      return opened;
    },
    async close() {
      await (await opened)?.close();
    },
  };
}
