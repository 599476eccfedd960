/** The result of one check, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  readonly fix: string | null;
}

export function ok(check: string, detail: string): Finding {
  return { check, status: "ok", detail, fix: null };
}

export function warn(check: string, detail: string, fix: string): Finding {
  return { check, status: "warn", detail, fix };
}

export function fail(check: string, detail: string, fix: string): Finding {
  return { check, status: "fail", detail, fix };
}
