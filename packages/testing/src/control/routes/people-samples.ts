import type { RouteSample } from "./route-sample.ts";

const operatorViews = ["tenants", "edges", "queues", "certificate-authorities", "providers"];

/** Only an operator's session reads them. */
export const operatorSamples: Readonly<Record<string, RouteSample>> = Object.fromEntries(
  operatorViews.map((view) => [
    `GET /v1/operator/${view}`,
    { needs: [], session: true, request: () => ({}) } satisfies RouteSample,
  ]),
);

const nobody = { params: { id: "01920000-0000-7000-8000-000000000000" } };

let invited = 0;

export const peopleSamples: Readonly<Record<string, RouteSample>> = {
  "GET /v1/session": { needs: [], session: true, request: () => ({}) },
  "DELETE /v1/session": { needs: [], session: true, request: () => ({}) },
  "GET /v1/sessions": { needs: [], session: true, request: () => ({}) },
  "DELETE /v1/sessions/{id}": { needs: [], session: true, status: 404, request: () => nobody },
  "GET /v1/members": { needs: [], session: true, request: () => ({}) },
  "POST /v1/members": {
    needs: [],
    session: true,
    request: () => {
      invited += 1;
      return { body: { email: `member-${invited}@sample.example`, role: "viewer" } };
    },
  },
  "POST /v1/members/{id}/invitation": {
    needs: [],
    session: true,
    status: 404,
    request: () => nobody,
  },
  "PATCH /v1/members/{id}": {
    needs: [],
    session: true,
    status: 404,
    request: () => ({ ...nobody, body: { name: "Sample" } }),
  },
  "DELETE /v1/members/{id}": { needs: [], session: true, status: 404, request: () => nobody },
  "POST /v1/passkeys:challenge": { needs: [], session: true, request: () => ({}) },
  // Nobody asked for a challenge.
  "POST /v1/passkeys": {
    needs: [],
    session: true,
    status: 400,
    request: () => ({
      body: { challenge_id: "none", name: "Sample", response: { id: "x", rawId: "x" } },
    }),
  },
  "GET /v1/passkeys": { needs: [], session: true, request: () => ({}) },
  "DELETE /v1/passkeys/{id}": { needs: [], session: true, status: 404, request: () => nobody },
};
