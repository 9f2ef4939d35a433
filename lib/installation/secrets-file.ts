import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { EnvError } from "#lib/config/env";

export const SECRETS_FILE = "secrets.env";

const OWNER_ONLY = 0o600;

const HEADER = `# Created by Signalbox on first start. Keep it with the data and keep it private:
# VAULT_KEYS decrypts the stored tokens and signing secrets; without it they are lost.
`;

const GENERATORS = {
  NEXTAUTH_SECRET: () => randomBytes(32).toString("base64url"),
  VAULT_KEYS: () => `k1:${randomBytes(32).toString("base64")}`,
  WEBHOOK_SECRET: () => `whsec_${randomBytes(24).toString("base64url")}`,
};

type SecretName = keyof typeof GENERATORS;
const NAMES = Object.keys(GENERATORS) as SecretName[];
type Secrets = Partial<Record<SecretName, string>>;

/** New ones for old data would open no seal, and break sign-ins under way. */
const BOUND_TO_DATABASE: SecretName[] = ["NEXTAUTH_SECRET", "VAULT_KEYS"];

/** Generates missing secrets (mode 600), only before the database is created: later they would hide that the right ones are missing. */
export function createSecrets(dataDir: string, given: Secrets): void {
  const file = path.join(dataDir, SECRETS_FILE);
  const kept = readSecrets(file);
  const lacking = NAMES.filter((name) => !given[name] && !kept[name]);
  if (lacking.length > 0) writeSecrets(file, { ...kept, ...Object.fromEntries(lacking.map((name) => [name, GENERATORS[name]()])) });
}

/** Reads missing secrets, for the built-in database alone: elsewhere DATA_DIR may be new. @throws EnvError if one is missing */
export function completeSecrets(dataDir: string, given: Secrets, embedded: boolean): Secrets {
  if (!embedded) {
    requireGiven(given);
    return {};
  }
  const file = path.join(dataDir, SECRETS_FILE);
  const missing = missingSecrets(dataDir, given);
  if (missing.length > 0) throw new EnvError(missingWords(file, missing));
  protect(file);
  const kept = readSecrets(file);
  return Object.fromEntries(NAMES.filter((name) => !given[name] && kept[name]).map((name) => [name, kept[name]])) as Secrets;
}

export function missingSecrets(dataDir: string, given: Secrets): string[] {
  const kept = readSecrets(path.join(dataDir, SECRETS_FILE));
  return BOUND_TO_DATABASE.filter((name) => !given[name] && !kept[name]);
}

export function missingWords(file: string, missing: string[]): string {
  const what = existsSync(file) ? `${file} has no ${missing.join(" and no ")}` : `${file} is missing`;
  return `${what}, and there is data that belongs to it. Nothing was generated or changed.\nRestore the file from your backup, or set ${missing.join(" and ")} in the environment. To start over without the data, set DATA_DIR to an empty folder.`;
}

function requireGiven(given: Secrets): void {
  const missing = BOUND_TO_DATABASE.filter((name) => !given[name]);
  if (missing.length === 0) return;
  const wants = {
    NEXTAUTH_SECRET: "at least 32 characters, for example from: openssl rand -base64 32",
    VAULT_KEYS: 'k1: and 32 bytes in base64, for example from: echo "k1:$(openssl rand -base64 32)"',
  } as Record<SecretName, string>;
  const lines = missing.map((name) => `  ${name} is required with DATABASE_URL: ${wants[name]}`);
  throw new EnvError(
    `Invalid environment:\n${lines.join("\n")}\nThey belong to the database and must be the same on every machine that uses it, so they are not generated.`,
  );
}

export function readSecrets(file: string): Secrets {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, "utf8").split("\n");
  const pairs = lines.flatMap((line) => {
    const [, name, value] = /^([A-Z_]+)=(.+)$/.exec(line.trim()) ?? [];
    return name && value && name in GENERATORS ? [[name, value]] : [];
  });
  return Object.fromEntries(pairs) as Secrets;
}

/** Writes whole or not at all: half a file would be half the keys. */
function writeSecrets(file: string, secrets: Secrets): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(draft, HEADER + lines.join(""), { mode: OWNER_ONLY, flush: true });
  renameSync(draft, file);
}

function protect(file: string): void {
  if (existsSync(file) && !isOwnerOnly(file)) chmodSync(file, OWNER_ONLY);
}

/** True if only its owner may read it; Windows keeps no such modes. */
export const isOwnerOnly = (file: string): boolean => process.platform === "win32" || (statSync(file).mode & 0o077) === 0;
