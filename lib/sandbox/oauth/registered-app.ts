import { env, SANDBOX_APP } from "#lib/config/env";

/** The sandbox platform's own fixed settings. Nothing here is a secret or configurable. */

/** Time in which an authorization code may be exchanged, in seconds (RFC 6749 section 4.1.2 says at most ten minutes). */
export const CODE_SECONDS = 60;

/** Lifetime of an access token, in seconds: short, so that refreshing can be watched. */
export const ACCESS_SECONDS = 600;

/** The same where short lives were asked for. */
export const SHORT_ACCESS_SECONDS = 30;

/** Duration of a slow answer, in milliseconds: well below the connector's time limit. */
export const SLOW_MS = 6000;

/** Time that a permission dialog may stay open, in seconds. */
export const DIALOG_SECONDS = 900;

/** The accounts of the platform that a person may link. */
export const ACCOUNTS = [
  { id: "acme", name: "Acme GmbH", about: "Berlin" },
  { id: "globex", name: "Globex Corporation", about: "Cypress Creek" },
] as const;
export type AccountId = (typeof ACCOUNTS)[number]["id"];

/** Every scope that the platform knows, in words for the dialog. */
export const SCOPE_WORDS: Record<string, { title: string; about: string }> = {
  "documents:read": { title: "Read documents", about: "Names, status and extracted data, but not the files." },
  "tasks:read": { title: "Read tasks", about: "Titles, assignees and classifications." },
  "pipelines:read": { title: "Read pipelines", about: "Stages, and the tasks in each." },
  "automations:read": { title: "Read automations", about: "Runs and their results." },
  "webhooks:manage": { title: "Send webhooks", about: "Notify the app of changes with signed webhooks." },
};

export type RegisteredApp = { clientId: string; clientSecret: string; name: string; callbacks: string[] };

/** The one app that is registered with the sandbox platform: Signalbox, with its callback. */
export function registeredApp(): RegisteredApp {
  return {
    clientId: SANDBOX_APP.clientId,
    clientSecret: SANDBOX_APP.clientSecret,
    name: "Signalbox",
    callbacks: [`${env().APP_URL}/callback`],
  };
}
