import { ProviderError } from "../../errors.ts";
import { defineProvider } from "../../provider.ts";
import { classicInterface } from "./classic.ts";
import { currentInterface } from "./current.ts";
import { manifest } from "./manifest.ts";

/** Personal access tokens belong to version 3 of the interface, key and secret to version 1. */
export const godaddy = defineProvider(manifest, (credentials, { http }) => {
  const token = credentials["personal_access_token"];
  if (token !== undefined) return currentInterface(http, token);
  const { api_key: key, api_secret: secret } = credentials;
  if (key !== undefined && secret !== undefined) return classicInterface(http, key, secret);
  throw new ProviderError(
    "auth",
    "Give a personal access token, or a classic key with its secret.",
  );
});
