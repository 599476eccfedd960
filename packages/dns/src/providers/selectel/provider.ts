import { absoluteTarget, parseData, presentData } from "../../presentation.ts";
import type { Zone } from "../../zone.ts";
import type { Credentials } from "../adapter/contract.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain, ProviderHttp } from "../adapter/http.ts";
import {
  anything,
  boolean,
  type Decoder,
  entryKey,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { allPages, ignoreNotFound, jsonApi } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow, type SetEdit } from "../adapter/rows.ts";
import { sessionSource } from "../adapter/session.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.selectel.ru/domains/v2";
const identityUrl = "https://cloud.api.selcloud.ru/identity/v3";
const pageSize = 1_000;
/** Tokens last a day. */
const tokenSeconds = 3_600;
/** How quotes, backslashes and other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 4_000 };

const zone = object({ id: text, name: text });
const set = object({
  id: entryKey,
  name: text,
  type: text,
  ttl: number,
  managed_by: optional(text, ""),
  records: list(object({ content: text, disabled: optional(boolean, false) })),
});
/** The data of a value; the row has the key of the set. */
type Raw = string;

export const selectel = defineSetProvider<Raw>(manifest, (credentials, { http, now }) => {
  const token = sessionSource(now, (signal) => logIn(http, credentials, signal));
  const api = jsonApi(http, {
    baseUrl: apiUrl,
    headers: {},
    explain,
    authorize: async (_request, signal) => ({ "x-auth-token": await token(signal) }),
  });
  const setsPath = ({ id }: Zone) => `/zones/${encodeURIComponent(id)}/rrset`;

  const readAll = <T>(path: string, item: Decoder<T>, signal: AbortSignal): Promise<readonly T[]> =>
    allPages(async (offset: number | null) => {
      const page = object({ result: list(item), next_offset: optional(number, 0) });
      const query = { limit: pageSize, offset: offset ?? 0 };
      const { result, next_offset: next } = await api.read({ path, query }, page, signal);
      return { items: result, next: next > (offset ?? 0) ? next : null };
    });
  return {
    textLimits,
    readNameservers: "apex",
    async listZones(signal) {
      const zones = await readAll("/zones", zone, signal);
      return zones.map(({ id, name }) => ({ id, name, nameservers: [] }));
    },
    async readRows(zone, signal) {
      const sets = await readAll(setsPath(zone), set, signal);
      return sets.flatMap((one) => toRows(one, zone.name));
    },
    async writeSet(zone, edit, signal) {
      const path = setsPath(zone);
      const { id } = edit.before[0] ?? { id: null };
      const body = { ttl: edit.ttl, records: listValues(edit) };
      if (id === null) {
        const { name, type } = edit;
        const created = { name: absoluteTarget(name), type, ...body };
        await api.write({ method: "POST", path, body: created }, signal);
      } else if (body.records.length > 0) {
        const call = { method: "PATCH", path: `${path}/${id}`, body, idempotent: true } as const;
        await api.write(call, signal);
      } else {
        await ignoreNotFound(api.write({ method: "DELETE", path: `${path}/${id}` }, signal));
      }
    },
  };
});

/** A token of OpenStack's identity service, for one project; it is in a header of the answer. */
async function logIn(http: ProviderHttp, credentials: Credentials, signal: AbortSignal) {
  const { account_id, username, password, project_name } = credentials;
  const domain = { name: account_id };
  const identity = {
    methods: ["password"],
    password: { user: { name: username, domain, password } },
  };
  const body = { auth: { identity, scope: { project: { name: project_name, domain } } } };
  const api = jsonApi(http, { baseUrl: identityUrl, headers: {}, explain: () => null });
  const call = { method: "POST", path: "/auth/tokens", body, idempotent: true } as const;
  const { headers } = await api.page(call, anything, signal);
  const value = headers.get("x-subject-token");
  if (value === null)
    throw new ProviderError("unavailable", "The answer to the login has no token.");
  return { value, seconds: tokenSeconds };
}

function listValues({ retain, add }: SetEdit<Raw>): readonly unknown[] {
  const contents = [...retain.map(({ raw }) => raw), ...add.map(presentData)];
  return contents.map((content) => ({ content, disabled: false }));
}

function toRows(wire: ReturnType<typeof set>, zone: string): readonly Row<Raw>[] {
  const { id, type, ttl, managed_by: manager } = wire;
  return wire.records.map(({ content, disabled }) => {
    const data = parseData(type, content, null);
    const record = {
      name: wire.name.replace(/\.$/, ""),
      type,
      ttl,
      value: data?.value ?? null,
      priority: data?.priority ?? null,
    };
    const off = disabled ? "it is switched off at Selectel" : null;
    const lockedBecause = manager === "" ? off : "another product of Selectel manages it";
    return readRow({ id, raw: content, zone, record, lockedBecause });
  });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const said = [body["error"], body["description"]].filter((one) => typeof one === "string");
  return { message: said.join(": ") };
};
