import type { Scope } from "../../src/domain/tenancy.ts";
import type { RouteSample, SampleRequest } from "./route-sample.ts";
import { endpointOf, type World } from "./world.ts";

const needs: readonly Scope[] = ["apps:admin", "webhooks:write"];

function ofEndpoint(world: World): SampleRequest {
  return { params: { id: world.endpointId } };
}

export const webhookSamples: Readonly<Record<string, RouteSample>> = {
  "GET /v1/events": {
    needs: ["connections:read", "webhooks:write"],
    absentStatus: 200,
    request: (world) => ({ query: { application_id: world.applicationId } }),
  },
  "POST /v1/webhook-endpoints": {
    needs,
    request: (world) => ({
      body: { application_id: world.applicationId, url: "https://hooks.example.com/sample" },
    }),
  },
  "GET /v1/webhook-endpoints": {
    needs,
    absentStatus: 200,
    request: (world) => ({ query: { application_id: world.applicationId } }),
  },
  "GET /v1/webhook-endpoints/{id}": { needs, request: ofEndpoint },
  "PATCH /v1/webhook-endpoints/{id}": {
    needs,
    request: (world) => ({ ...ofEndpoint(world), body: { active: true } }),
  },
  "DELETE /v1/webhook-endpoints/{id}": {
    needs,
    request: ofEndpoint,
    renew: async (app, world) => ({
      ...world,
      ...(await endpointOf(app, world.key, world.applicationId, "renewed")),
    }),
  },
  "POST /v1/webhook-endpoints/{id}/rotate-secret": { needs, request: ofEndpoint },
  "POST /v1/webhook-endpoints/{id}/test": { needs, request: ofEndpoint },
  "GET /v1/webhook-endpoints/{id}/deliveries": { needs, request: ofEndpoint },
  "POST /v1/webhook-endpoints/{id}/deliveries/{deliveryId}/replay": {
    needs,
    request: (world) => ({ params: { id: world.endpointId, deliveryId: world.deliveryId } }),
  },
  "POST /v1/webhook-endpoints/{id}/replay": {
    needs,
    request: (world) => ({ ...ofEndpoint(world), body: { since: "2026-11-15T00:00:00Z" } }),
  },
};
