export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly applicationId: string;
  readonly webhookSecret: string;
}

export function readSettings(): Settings {
  return {
    baseUrl: required("MOORING_URL"),
    apiKey: required("MOORING_API_KEY"),
    applicationId: required("MOORING_APP"),
    webhookSecret: required("MOORING_WEBHOOK_SECRET"),
  };
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}
