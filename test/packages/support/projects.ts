import { readFileSync } from "node:fs";
import path from "node:path";

/** A stranger's project: what it installs from the registry, its files, and how it is built. */
export interface Project {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  /** Commands of the project's own node_modules, with their arguments. */
  readonly build: readonly (readonly [command: string, ...args: string[]])[];
}

/** Every page has this button; the token comes with the address, from the tenant's backend. */
const page = (script: string): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>Settings</title><div id="app"></div><script type="module" src="${script}"></script></html>`;

const options = `
const query = new URLSearchParams(location.search);
const parameter = (name: string): string => query.get(name) ?? "";
export const options = {
  applicationId: parameter("application"), token: parameter("token"), baseUrl: parameter("api"),
};`;

const strictConfig = (more: object = {}): string =>
  JSON.stringify({
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["es2022", "dom", "dom.iterable"],
      types: [],
      ...more,
    },
    include: ["src"],
  });

/** The bundler of Vite, at a version whose binaries are in the registry for every platform. */
const bundler = { rolldown: "1.2.18", vite: "8.3.8" };

export const viteReact: Project = {
  dependencies: {
    "@types/react": "19.3.0",
    "@types/react-dom": "19.3.0",
    "@vitejs/plugin-react": "6.3.0",
    react: "19.3.1",
    "react-dom": "19.3.1",
    typescript: "7.0.2",
    ...bundler,
  },
  files: {
    "index.html": page("/src/main.tsx"),
    "tsconfig.json": strictConfig({ jsx: "react-jsx" }),
    "vite.config.js": `import react from "@vitejs/plugin-react";\nexport default { plugins: [react()] };`,
    "src/options.ts": options,
    "src/main.tsx": `
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { SvcConnect, useSvc } from "@mooring/widget/react";
import { options } from "./options";
function Settings() {
  const svc = useSvc(options);
  return <main><button id="connect" onClick={() => svc.open()}>Connect a domain</button>
    <SvcConnect {...options} className="inline" /></main>;
}
const element = document.querySelector("#app");
if (element !== null) createRoot(element).render(<StrictMode><Settings /></StrictMode>);`,
  },
  build: [["tsc"], ["vite", "build"]],
};

export const viteVue: Project = {
  dependencies: { "@vitejs/plugin-vue": "6.0.10", vue: "3.5.45", ...bundler },
  files: {
    "index.html": page("/src/main.ts"),
    "vite.config.js": `import vue from "@vitejs/plugin-vue";
const isCustomElement = (tag) => tag === "svc-connect";
export default { plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] };`,
    "src/options.ts": options,
    "src/main.ts": `import { createApp } from "vue";\nimport Settings from "./settings.vue";\ncreateApp(Settings).mount("#app");`,
    "src/settings.vue": `<script setup lang="ts">
import "@mooring/widget/element";
import { open } from "@mooring/widget";
import { options } from "./options";
</script>
<template><main><button id="connect" @click="open(options)">Connect a domain</button>
<svc-connect :application-id="options.applicationId" :token="options.token" :base-url="options.baseUrl" />
</main></template>`,
  },
  build: [["vite", "build"]],
};

/** The app router: a client component, and a route that mints tokens on the server. */
export const nextApp: Project = {
  dependencies: {
    "@types/node": "24.19.2",
    "@types/react": "19.3.0",
    next: "16.4.6",
    react: "19.3.1",
    "react-dom": "19.3.1",
    typescript: "5.9.3",
  },
  files: {
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: "es2022",
        module: "esnext",
        moduleResolution: "bundler",
        lib: ["es2022", "dom", "dom.iterable"],
        jsx: "react-jsx",
        esModuleInterop: true,
        isolatedModules: true,
        resolveJsonModule: true,
        allowJs: true,
        incremental: true,
        skipLibCheck: true,
        plugins: [{ name: "next" }],
      },
      include: ["app", ".next/types/**/*.ts"],
      exclude: ["node_modules"],
    }),
    "app/layout.tsx": `import type { ReactNode } from "react";
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}`,
    "app/page.tsx": `import { SvcConnect } from "@mooring/widget/react";
import { Connect } from "./connect";
export const dynamic = "force-dynamic";
export default function Page() {
  const { MOORING_URL: baseUrl = "", MOORING_APP: applicationId = "" } = process.env;
  return <main><Connect applicationId={applicationId} baseUrl={baseUrl} />
    <SvcConnect applicationId={applicationId} baseUrl={baseUrl} token="expired" className="inline" /></main>;
}`,
    "app/connect.tsx": `"use client";
import { useSvc } from "@mooring/widget/react";
import "@mooring/widget/element";
async function getToken(): Promise<string> {
  return (await fetch("/token", { method: "POST" })).text();
}
export function Connect(props: { applicationId: string; baseUrl: string }) {
  const svc = useSvc({ ...props, getToken });
  return <button id="connect" onClick={() => svc.open()}>Connect a domain</button>;
}`,
    "instrumentation.js": readFileSync(
      path.resolve(import.meta.dirname, "../../../packages/cli/src/commands/shim/node-preload.js"),
      "utf8",
    ),
    "app/vendor/route.ts": `export const dynamic = "force-dynamic";
export async function GET(): Promise<Response> {
  const body = JSON.stringify({ name: "www.next.test" });
  const headers = { Authorization: "Bearer vendor", "Content-Type": "application/json" };
  return fetch("https://api.vercel.com/v10/projects/prj_1/domains", { method: "POST", headers, body });
}`,
    "app/token/route.ts": `import { Mooring } from "@mooring/sdk";
export async function POST(): Promise<Response> {
  const { MOORING_URL: baseUrl = "", MOORING_API_KEY: apiKey = "", MOORING_APP = "" } = process.env;
  const mooring = new Mooring({ baseUrl, apiKey });
  const { auth_token } = await mooring.tokens.mint({ application_id: MOORING_APP, customer_ref: "customer-42" });
  return new Response(auth_token);
}`,
  },
  build: [["next", "build"]],
};

/** No bundler: the browser loads the package's modules as they are. */
export const plainModules: Project = {
  dependencies: {},
  files: {
    "dist/index.html": page("/main.js"),
    "dist/main.js": `import { open } from "/node_modules/@mooring/widget/dist/widget.mjs";
const query = new URLSearchParams(location.search);
const [applicationId, token, baseUrl] = ["application", "token", "api"].map((name) => query.get(name));
const button = Object.assign(document.createElement("button"), { id: "connect", textContent: "Connect" });
button.addEventListener("click", () => open({ applicationId, token, baseUrl }));
document.querySelector("#app").append(button);`,
  },
  build: [],
};

/** The script that the service serves, in a page of another origin. */
export function scriptTag(api: string): Project {
  return {
    dependencies: {},
    files: {
      "dist/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Settings</title>
<script src="${api}/sdk/v1/widget.js"></script><button id="connect">Connect</button><script src="/main.js"></script></html>`,
      "dist/main.js": `const query = new URLSearchParams(location.search);
const options = { applicationId: query.get("application"), token: query.get("token") };
document.querySelector("#connect").addEventListener("click", () => Svc.open(options));`,
    },
    build: [],
  };
}
