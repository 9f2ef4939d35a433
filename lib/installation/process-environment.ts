import path from "node:path";
import { type Env, env, resetEnv } from "#lib/config/env";
import { toolEnvironment } from "#lib/config/tool-environment";
import { completeSecrets } from "./secrets-file.ts";

/** The project's folder. */
export const ROOT = path.resolve(import.meta.dirname, "../..");

/** DATA_DIR as an absolute path; a relative one counts from the project's folder. */
export const dataDir = (): string => path.resolve(ROOT, env().DATA_DIR);

/** The secrets that the environment names. */
export function givenSecrets(): Partial<Record<"NEXTAUTH_SECRET" | "VAULT_KEYS" | "WEBHOOK_SECRET", string>> {
  const { NEXTAUTH_SECRET, VAULT_KEYS, WEBHOOK_SECRET } = env();
  return {
    ...(NEXTAUTH_SECRET && { NEXTAUTH_SECRET }),
    ...(VAULT_KEYS && { VAULT_KEYS }),
    ...(WEBHOOK_SECRET && { WEBHOOK_SECRET }),
  };
}

/**
 * Puts what the environment lacks into it, for this process and every child
 * that it starts: secrets, addresses, the mode. `env()` returns the whole
 * afterwards.
 *
 * @param databaseUrl the built-in database's address; undefined when DATABASE_URL is set
 * @throws EnvError when something is missing that can't be made up
 */
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
    // Of the four that Node has by itself, as many host names with silent name servers leave none for files.
    UV_THREADPOOL_SIZE: String(UV_THREADPOOL_SIZE),
  });
}

/** Returns what `next build` gets: nothing of this installation, so that one build serves any. */
export const buildEnvironment = (): NodeJS.ProcessEnv => ({ ...toolEnvironment(), NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
