/** What one look at the set-up found, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  readonly mend: string | null;
}

export function ok(check: string, detail: string): Finding {
  return { check, status: "ok", detail, mend: null };
}

export function warn(check: string, detail: string, mend: string): Finding {
  return { check, status: "warn", detail, mend };
}

export function fail(check: string, detail: string, mend: string): Finding {
  return { check, status: "fail", detail, mend };
}
