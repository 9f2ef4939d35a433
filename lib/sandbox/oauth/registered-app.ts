import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { env, SANDBOX_APP } from "#lib/config/env";

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
