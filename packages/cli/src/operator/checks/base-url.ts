import type { Config } from "@mooring/control";
import { type Finding, fail, ok, warn } from "./finding.ts";

const name = "base_url";
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Customers' browsers and webhook receivers are sent here. */
export function checkBaseUrl(
  config: Pick<Config, "baseUrl" | "port">,
  isProduction: boolean,
): Finding {
  const url = new URL(config.baseUrl);
  if (url.search !== "" || url.hash !== "" || url.username !== "") {
    const mend = "keep scheme, host and port only, as in https://connect.example.com";
    return fail(name, "BASE_URL has more than an address in it", mend);
  }
  const isLocal = loopback.test(url.hostname);
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  if (isLocal && port !== config.port) {
    return fail(
      name,
      `BASE_URL names port ${port} of this machine, and the API listens on ${config.port}`,
      `set BASE_URL to http://localhost:${config.port}, or PORT to ${port}`,
    );
  }
  if (isProduction && (isLocal || url.protocol === "http:")) {
    const what = isLocal ? "nobody else can reach" : "is not encrypted";
    return warn(
      name,
      `BASE_URL is ${url.origin}, which ${what}`,
      "set it to the public https address of the API",
    );
  }
  return ok(name, config.baseUrl);
}
