import path from "node:path";

/** Where the accelerator and the Node edge meet: a directory that only their user can enter. */
export interface AcceleratorPaths {
  readonly directory: string;
  readonly configuration: string;
  /** The runtime API of the HAProxy that names are promoted to. */
  readonly admin: string;
  /** The sockets of one HAProxy, by the id that it was started with. */
  socketsOf(id: string): HaproxySockets;
  /** One line for each request that HAProxy has served. */
  readonly log: string;
  /** Networks whose connections are never promoted. */
  readonly exempt: string;
  /** Networks whose connections begin with a PROXY protocol header. */
  readonly proxied: string;
  /** Networks whose connections may do so, or not. */
  readonly healthChecks: string;
  /** The CAs that https origins are verified by. */
  readonly trusted: string;
  /** Settings of HAProxy's TLS library. */
  readonly library: string;
  /** What changes the fields of responses, in Lua. */
  readonly responseFields: string;
  readonly certificates: string;
  readonly names: string;
  readonly claims: string;
  readonly slots: string;
  readonly assertions: string;
  readonly lease: string;
  /** The error page of a status. */
  page(status: number): string;
  /** TLS as the visitor sent it, for one process of the Node edge. */
  tls(worker: number): string;
  /** Requests of promoted names that HAProxy leaves to the Node edge. */
  decrypted(worker: number): string;
}

export interface HaproxySockets {
  /** The runtime API. */
  readonly admin: string;
  /** From the door to the part of HAProxy that ends TLS. */
  readonly web: string;
}

/** Of `sun_path`, less what HAProxy and Node add to the name while they bind it. */
const maxSocketPath = 107 - 14;

export function acceleratorPaths(dataDirectory: string): AcceleratorPaths {
  const directory = path.resolve(dataDirectory, "edge", "accelerator");
  const inside = (name: string): string => path.join(directory, name);
  const longest = inside("admin-9999999.9999.sock");
  if (Buffer.byteLength(longest) > maxSocketPath) {
    throw new Error(
      `DATA_DIR is too long for the sockets of EDGE_ACCELERATOR: ${longest} has more than ${maxSocketPath} bytes`,
    );
  }
  return {
    directory,
    configuration: inside("haproxy.cfg"),
    admin: inside("admin.sock"),
    socketsOf: (id) => ({ admin: inside(`admin-${id}.sock`), web: inside(`web-${id}.sock`) }),
    log: inside("log.sock"),
    exempt: inside("exempt.lst"),
    proxied: inside("proxied.lst"),
    healthChecks: inside("health-checks.lst"),
    trusted: inside("trusted.pem"),
    library: inside("openssl.cnf"),
    responseFields: inside("response-fields.lua"),
    certificates: inside("certificates.list"),
    names: inside("names.map"),
    claims: inside("claims.map"),
    slots: inside("slots.map"),
    assertions: inside("assertions.map"),
    lease: inside("lease.map"),
    page: (status) => inside(`page-${status}.html`),
    tls: (worker) => inside(`tls-${worker}.sock`),
    decrypted: (worker) => inside(`decrypted-${worker}.sock`),
  };
}
