import { readFileSync } from "node:fs";
import path from "node:path";
import { type Env, env, resetEnv } from "#lib/config/env";
import { toolEnvironment } from "#lib/config/tool-environment";
import { completeSecrets } from "./secrets-file.ts";

export const ROOT = path.resolve(import.meta.dirname, "../..");

/** Resolves a relative DATA_DIR from the project's folder. */
export const dataDir = (): string => path.resolve(ROOT, env().DATA_DIR);

export function givenSecrets(): Partial<Record<"NEXTAUTH_SECRET" | "VAULT_KEYS" | "WEBHOOK_SECRET", string>> {
  const { NEXTAUTH_SECRET, VAULT_KEYS, WEBHOOK_SECRET } = env();
  return {
    ...(NEXTAUTH_SECRET && { NEXTAUTH_SECRET }),
    ...(VAULT_KEYS && { VAULT_KEYS }),
    ...(WEBHOOK_SECRET && { WEBHOOK_SECRET }),
  };
}

/** Adds missing secrets, URLs and the mode to the environment of this process and its children. @throws EnvError */
export function completeEnvironment(mode: "production" | "development", databaseUrl: string | undefined): Env {
  const { APP_URL, PORT, UV_THREADPOOL_SIZE } = env();
  const secrets = completeSecrets(dataDir(), givenSecrets(), databaseUrl !== undefined);
  return resetEnv({
    ...secrets,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    NODE_ENV: mode,
    PORT: String(PORT),
    APP_URL,
    NEXTAUTH_URL: APP_URL,
    DATA_DIR: dataDir(),
    NEXT_TELEMETRY_DISABLED: "1",
    // Node's four would be taken by as many host names with silent name servers, leaving none for files.
    UV_THREADPOOL_SIZE: String(UV_THREADPOOL_SIZE),
  });
}

/** Returns nothing of this installation, so that one build serves any. `inputs` names the build (`BUILD`). */
export const buildEnvironment = (inputs?: string): NodeJS.ProcessEnv => ({
  ...toolEnvironment(),
  ...(inputs !== undefined && { SIGNALBOX_BUILD: inputs.slice(0, 16) }),
  NODE_ENV: "production",
  NEXT_TELEMETRY_DISABLED: "1",
});

export const postgresDirectory = (): string => path.join(dataDir(), "postgres");

/** Returns the lock of the one supervisor of DATA_DIR. */
export const supervisorLock = (): string => path.join(dataDir(), "signalbox.lock");

export const productVersion = (): string =>
  (JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string }).version;
