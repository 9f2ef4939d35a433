import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { env } from "#lib/config/env";
import { SANDBOX_APP } from "#lib/config/platform-settings";

/** The checked query of `GET /oauth/authorize`. */
export type AuthorizationRequest = {
  clientId: string;
  redirectUri: string;
  scopes: string[];
  state: string;
  challenge: string | null;
  /** Our own parameter, which other servers ignore (RFC 6749 section 3.1); null for the first workspace's platform. */
  workspace: string | null;
};

type CheckedRequest =
  | { outcome: "ask"; request: AuthorizationRequest }
  /** Shown to the person: nothing is sent to a URL that is not registered. */
  | { outcome: "reject"; reason: RejectionReason }
  | { outcome: "redirect"; location: string };

export type RejectionReason = "unknown_app" | "callback_not_registered";

/**
 * Checks app and callback first: only a registered callback may be told about mistakes (RFC 6749 section 4.1.2.1, RFC 7636 section 4.3).
 */
export function checkAuthorizationRequest(query: URLSearchParams, app: RegisteredApp): CheckedRequest {
  if (single(query, "client_id") !== app.clientId) return { outcome: "reject", reason: "unknown_app" };
  const redirectUri = single(query, "redirect_uri");
  if (!redirectUri || !app.callbacks.includes(redirectUri)) return { outcome: "reject", reason: "callback_not_registered" };

  const state = single(query, "state");
  const mistake = findMistake(query, state);
  if (mistake) return { outcome: "redirect", location: callbackWith(redirectUri, { ...mistake, state }) };
  return {
    outcome: "ask",
    request: {
      clientId: app.clientId,
      redirectUri,
      scopes: scopesOf(query),
      state: state ?? "",
      challenge: single(query, "code_challenge"),
      workspace: WORKSPACE.exec(single(query, "workspace") ?? "")?.[0] ?? null,
    },
  };
}

/** Appends the parameters except null ones. */
export function callbackWith(redirectUri: string, parameters: Record<string, string | null>): string {
  const location = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) if (value !== null) location.searchParams.set(name, value);
  return location.href;
}

type Mistake = { error: string; error_description: string };

function findMistake(query: URLSearchParams, state: string | null): Mistake | null {
  if (single(query, "response_type") !== "code")
    return { error: "unsupported_response_type", error_description: "response_type must be code." };
  if (!state) return { error: "invalid_request", error_description: "state is required exactly once." };
  const scopes = scopesOf(query);
  const unknown = scopes.filter((scope) => !Object.hasOwn(SCOPE_WORDS, scope));
  if (scopes.length === 0 || unknown.length > 0)
    return { error: "invalid_scope", error_description: "A requested permission is not allowed." };
  return findChallengeMistake(query);
}

function findChallengeMistake(query: URLSearchParams): Mistake | null {
  if (!query.has("code_challenge") && !query.has("code_challenge_method")) return null;
  const challenge = single(query, "code_challenge") ?? "";
  // `plain` protects nothing that a leaked request has not given away already.
  if (single(query, "code_challenge_method") !== "S256" || !/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return { error: "invalid_request", error_description: "code_challenge must be the S256 hash of a verifier." };
  return null;
}

const WORKSPACE = /^wsp_\w{1,60}$/;

const scopesOf = (query: URLSearchParams): string[] => [...new Set((single(query, "scope") ?? "").split(" ").filter(Boolean))];

/** Returns null if it is absent or repeated (RFC 6749 section 3.1 forbids repeats). */
function single(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  return values.length === 1 ? (values[0] ?? null) : null;
}

// Fixed settings of the sandbox platform. Nothing here is a secret or configurable.

/** RFC 6749 section 4.1.2 allows at most ten minutes. */
export const CODE_SECONDS = 60;

/** Short, so that refreshing can be watched. */
export const ACCESS_SECONDS = 600;

export const SHORT_ACCESS_SECONDS = 30;

/** Well below the connector's time limit. */
export const SLOW_MS = 6000;

export const DIALOG_SECONDS = 900;

export const ACCOUNTS = [
  { id: "acme", name: "Acme GmbH", about: "Berlin" },
  { id: "globex", name: "Globex Corporation", about: "Cypress Creek" },
] as const;
export type AccountId = (typeof ACCOUNTS)[number]["id"];

export const SCOPE_WORDS: Record<string, { title: string; about: string }> = {
  "documents:read": { title: "Read documents", about: "Names, status and extracted data, but not the files." },
  "tasks:read": { title: "Read tasks", about: "Titles, assignees and classifications." },
  "pipelines:read": { title: "Read pipelines", about: "Stages, and the tasks in each." },
  "automations:read": { title: "Read automations", about: "Runs and their results." },
  "webhooks:manage": { title: "Send webhooks", about: "Notify the app of changes with signed webhooks." },
};

export type RegisteredApp = { clientId: string; clientSecret: string; name: string; callbacks: string[] };

export function registeredApp(): RegisteredApp {
  return {
    clientId: SANDBOX_APP.clientId,
    clientSecret: SANDBOX_APP.clientSecret,
    name: "Signalbox",
    callbacks: [`${env().APP_URL}/callback`],
  };
}

/** Returns 256 random bits, base64url, after the prefix. */
export const newCredential = (prefix: string): string => `${prefix}_${randomBytes(32).toString("base64url")}`;

/** Returns the SHA-256 that is stored, hex. A credential has 256 bits, so no salt is needed. */
export const credentialHash = (credential: string): string => createHash("sha256").update(credential).digest("hex");

/** Compares in a time that reveals nothing, lengths included. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
