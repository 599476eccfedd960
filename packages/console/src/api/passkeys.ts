/** The browser's side of passkeys (WebAuthn, level 3): options and answers as JSON. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential !== "undefined" &&
    "parseCreationOptionsFromJSON" in PublicKeyCredential
  );
}

/** Makes a passkey on this device; throws when the person declines. */
export async function createPasskey(options: unknown): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  return toAnswer(await navigator.credentials.create({ publicKey }));
}

/**
 * Signs in with a passkey of this device. Before there is a session these two calls are no part of
 * the API, so the SDK does not have them.
 */
export async function signInWithPasskey(): Promise<boolean> {
  const options: unknown = await (await post("/console/passkey/challenge", {})).json();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  const response = toAnswer(await navigator.credentials.get({ publicKey }));
  return (await post("/console/passkey", { response })).ok;
}

function post(path: string, body: unknown): Promise<Response> {
  return fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

function toAnswer(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new Error("there is no passkey");
  return credential.toJSON();
}
