import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { listenHttp, listenHttps, listenTcp } from "@mooring/testing/egress/loopback";

const run = promisify(execFile);

/** Runs in a separate process: Node reads these variables when it starts. */
const script = `
  import { createGuard } from ${JSON.stringify(new URL("./guard.ts", import.meta.url).href)};
  const [plain, secure] = process.argv.slice(1);
  const guard = createGuard({ allow: ["127.0.0.0/8"], lookup: async () => ["127.0.0.1"] });
  const outcomeOf = (work) => work.then((answer) => answer.status, (error) => error.message);
  const answers = [guard.request(plain), guard.fetch(plain), guard.request(secure)];
  console.log(JSON.stringify(await Promise.all(answers.map(outcomeOf))));
`;

describe("the environment", () => {
  test("cannot send requests through a proxy nor switch certificate checks off", async () => {
    await using proxy = await listenTcp((socket) => socket.destroy());
    await using plain = await listenHttp((_, response) => response.end("ok"));
    await using secure = await listenHttps((_, response) => response.end("ok"));
    const proxyUrl = `http://127.0.0.1:${proxy.port}`;
    const names = [
      "HTTP_PROXY",
      "HTTPS_PROXY",
      "ALL_PROXY",
      "http_proxy",
      "https_proxy",
      "all_proxy",
    ];
    const { stdout } = await run(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        script,
        `http://hook.example:${plain.port}/`,
        `https://hook.example:${secure.port}/`,
      ],
      {
        env: {
          ...Object.fromEntries(names.map((name) => [name, proxyUrl])),
          NODE_USE_ENV_PROXY: "1",
          NODE_TLS_REJECT_UNAUTHORIZED: "0",
          NODE_NO_WARNINGS: "1",
        },
      },
    );
    const refusal = "the TLS handshake failed (DEPTH_ZERO_SELF_SIGNED_CERT)";
    assert.deepEqual(JSON.parse(stdout), [200, 200, refusal]);
    assert.equal(proxy.connects(), 0);
  });
});
