import { referenceDocument } from "./reference-document.js";

/** Scalar's settings: everything comes from this server, and nothing is sent to another one. */
const settings = {
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  proxyUrl: "",
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  persistAuth: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  hiddenClients: {
    // One client for each common language, beside the SDK; Scalar knows about forty.
    ...Object.fromEntries(
      "c clojure dart fsharp http julia kotlin node objc ocaml powershell r rust swift"
        .split(" ")
        .map((language) => [language, true]),
    ),
    csharp: ["restsharp"],
    java: ["asynchttp", "okhttp", "unirest"],
    js: ["axios", "jquery", "ofetch", "xhr"],
    php: ["guzzle", "laravel"],
    python: ["python3", "aiohttp", "httpx_sync", "httpx_async"],
    shell: ["httpie", "wget"],
  },
  generateOperationSlug: ({ operationId, method, path }) => operationId ?? `${method}${path}`,
};

async function main() {
  if (!globalThis.Scalar) throw new Error("it is not built; run `npm run build` and load it again");
  const response = await fetch("v1/openapi.json");
  if (!response.ok) throw new Error(`the OpenAPI document was answered with ${response.status}`);
  const base = new URL(".", document.baseURI).href;
  const content = referenceDocument(await response.json(), base);
  globalThis.Scalar.createApiReference("#reference", { ...settings, content });
}

main().catch((error) => {
  const notice = document.querySelector("#failure");
  notice.textContent = `The reference cannot be shown: ${error.message}. `;
  const link = document.createElement("a");
  link.href = "v1/openapi.json";
  link.textContent = "Read the OpenAPI document.";
  notice.append(link);
  notice.hidden = false;
});
