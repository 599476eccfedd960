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

/** The renderer is 4 MB of script: it is loaded when the list of operations is on the screen. */
async function main() {
  const loading = document.querySelector("#loading");
  loading.hidden = false;
  await firstPaint();
  const [response] = await Promise.all([fetch("v1/openapi.json"), loadScript("docs/scalar.js")]);
  if (!globalThis.Scalar) throw new Error("it is not built; run `npm run build` and load it again");
  if (!response.ok) throw new Error(`the OpenAPI document was answered with ${response.status}`);
  const base = new URL(".", document.baseURI).href;
  const content = referenceDocument(await response.json(), base);
  keepReading();
  const drawn = untilDrawn();
  globalThis.Scalar.createApiReference("#reference", { ...settings, content });
  await drawn;
  document.querySelector("#operations").remove();
}

/** When the list is on the screen; a frame that has been drawn may not be there yet. */
function firstPaint() {
  return new Promise((resolve) => {
    const isReported = PerformanceObserver.supportedEntryTypes.includes("paint");
    if (isReported) new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
    else requestAnimationFrame(() => setTimeout(resolve));
  });
}

function loadScript(src) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = src;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${src} was not loaded`));
    document.head.append(script);
  });
}

/** Who has scrolled in the list is led to the same operation in the reference. */
function keepReading() {
  if (location.hash !== "" || scrollY === 0) return;
  const rows = [...document.querySelectorAll("#operations li")];
  // What is below the header of the page is read, not what is behind it.
  const first = rows.find(
    (row) =>
      row.getBoundingClientRect().top >= Number.parseFloat(getComputedStyle(row).scrollMarginTop),
  );
  if (first) history.replaceState(null, "", `#${first.id}`);
}

/** The renderer fills the page after its call has returned. */
function untilDrawn() {
  const reference = document.querySelector("#reference");
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!reference.querySelector("section[id*='/tag/']")) return;
      observer.disconnect();
      requestAnimationFrame(resolve);
    });
    observer.observe(reference, { childList: true, subtree: true });
  });
}

main().catch((error) => {
  document.querySelector("#loading").hidden = true;
  const notice = document.querySelector("#failure");
  notice.textContent = `The details cannot be shown: ${error.message}. `;
  const link = document.createElement("a");
  link.href = "v1/openapi.json";
  link.textContent = "Read the OpenAPI document.";
  notice.append(link);
  notice.hidden = false;
});
