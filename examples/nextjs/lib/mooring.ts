import { Mooring } from "@mooring/sdk";

/** Read when a request comes: a build has no secrets. */
export function settings() {
  return {
    baseUrl: required("MOORING_URL"),
    applicationId: required("MOORING_APP"),
    webhookSecret: required("MOORING_WEBHOOK_SECRET"),
  };
}

export function mooringClient(): Mooring {
  return new Mooring({ baseUrl: required("MOORING_URL"), apiKey: required("MOORING_API_KEY") });
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}
