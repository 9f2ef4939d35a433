import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiSend } from "#lib/client/fetcher";
import type { ProveBody } from "#lib/contracts/auth/account";
import { sessionsQuery, whileSessionChanges } from "./account.ts";
import { call, reading } from "./api.ts";
import { invalidate, KEYS } from "./keys.ts";

type Contract = typeof import("#lib/contracts/auth/account");
/** Loads a schema when an answer has to be checked, so that no page waits for it. */
const schemaOf =
  <Name extends keyof Contract>(name: Name) =>
  (): Promise<Contract[Name]> =>
    import("#lib/contracts/auth/account").then((contract) => contract[name]);
const webauthn = () => import("@simplewebauthn/browser");

export const factorsQuery = reading([...KEYS.settings, "factors"], "GET /api/v1/account/factors");

export const useFactors = () => useQuery(factorsQuery);

export function useFactorsChanged(): () => void {
  const queries = useQueryClient();
  return () => void invalidate(queries, factorsQuery.queryKey, sessionsQuery.queryKey);
}

export const removeTotp = () => call("DELETE /api/v1/account/factors/totp");
export const removePasskey = (id: string) => call("DELETE /api/v1/account/factors/passkeys/{id}", { id });
export const makeRecoveryCodes = () => call("POST /api/v1/account/recovery-codes");

export function useForgetDevice() {
  const changed = useFactorsChanged();
  return useMutation({
    mutationFn: (id: string) => call("DELETE /api/v1/account/remembered-devices/{id}", { id }),
    onSettled: changed,
  });
}

export const confirmPassword = (password: string) => apiSend(null, "POST", "/api/sign-in/confirmation", { password });

export const startTotp = () => apiSend(schemaOf("totpSetup"), "POST", "/api/sign-in/new-totp");
export const setUpTotp = (code: string) =>
  whileSessionChanges(() => apiSend(schemaOf("factorAdded"), "POST", "/api/sign-in/totp", { code }));

const challengeOf = async (step: string) => (await apiSend(schemaOf("passkeyOptions"), "POST", `/api/sign-in/${step}`)).options;

export async function setUpPasskey(name: string) {
  const optionsJSON = (await challengeOf("new-passkey")) as never;
  const response = await (await webauthn()).startRegistration({ optionsJSON }).catch(inWords);
  return whileSessionChanges(() => apiSend(schemaOf("factorAdded"), "POST", "/api/sign-in/passkey-registration", { name, response }));
}

async function askForPasskey(step: "proof-challenge" | "passkey-challenge") {
  const optionsJSON = (await challengeOf(step)) as never;
  return (await webauthn()).startAuthentication({ optionsJSON }).catch(inWords);
}

export const signInWithPasskey = async (): Promise<null> =>
  apiSend(null, "POST", "/api/sign-in/passkey", { response: await askForPasskey("passkey-challenge") });

export const proveCode = (kind: "totp" | "recovery_code", code: string, remember: boolean) => prove({ proof: { kind, code }, remember });

export const provePasskey = async (remember: boolean) =>
  prove({ proof: { kind: "passkey", response: (await askForPasskey("proof-challenge")) as never }, remember });

const prove = (body: ProveBody) => apiSend(null, "POST", "/api/sign-in/proof", body);

function inWords(error: Error): never {
  if (error.name === "InvalidStateError") throw new Error("This device already has a passkey of your account.");
  if (error.name === "NotAllowedError") throw new Error("The passkey prompt was closed, timed out, or found no passkey. Try again.");
  throw new Error("This browser can't use a passkey here. Use another second factor.");
}
