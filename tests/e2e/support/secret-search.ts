import { readFileSync } from "node:fs";
import path from "node:path";
import { resetEnv } from "#lib/config/env";
import { open } from "#lib/vault/vault";
import { guisesOf } from "#tests/support/dump-database";
import { baseUrl, dataDir, INSTALLATION, logFile, setupUrl } from "./installation.ts";
import { queryInstallation } from "./installation-database.ts";

type Secrets = Record<string, string>;

/** The names of the secrets that were looked for, and which stand where. */
export type Searched = { names: string[]; found: string[] };

/** Number of secrets that every installation has: of INSTALLATION, and of its own file. */
const OF_EACH = 5;

/**
 * Searches what an installation printed, its database, and every answer of its API for its secrets: also where they stand in another form.
 *
 * @throws Error when there was too little to search, or to search for
 */
export async function searchSecrets(at: number): Promise<Searched> {
  const secrets = await collectSecrets(at);
  const names = Object.keys(secrets);
  // The set-up link is printed on purpose, once: for the person at the terminal, who becomes the owner.
  const log = readFileSync(logFile(at), "utf8").replace(setupUrl(at), "");
  const places = { log, database: await dump(at), API: await everyAnswer(at) };
  if (names.length < OF_EACH || Object.values(places).some(({ length }) => length <= 100))
    throw new Error(`installation ${at} has too few secrets, or too little to search`);
  const found = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(secrets)
      .filter(([, secret]) => guisesOf(secret).some((guise) => text.includes(guise)))
      .map(([name]) => `${name} in the ${place}`),
  );
  const sizes = Object.entries(places).map(([place, text]) => `${place} ${(text.length / 1024).toFixed(0)} KB`);
  process.stdout.write(`${names.length} secrets looked for in ${sizes.join(", ")}: ${found.length} found\n`);
  return { names, found };
}

async function collectSecrets(at: number): Promise<Secrets> {
  const file = readFileSync(path.join(dataDir(at), "secrets.env"), "utf8");
  const kept = Object.fromEntries(
    [...file.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name = "", value = ""]) => [name, value.replace(/^"|"$/g, "")]),
  );
  const { ownerPassword, apiKey, webhookSecret } = INSTALLATION;
  const link = setupUrl(at);
  return {
    ownerPassword,
    apiKey,
    webhookSecret,
    sessionSecret: kept.NEXTAUTH_SECRET ?? "",
    vaultKey: kept.VAULT_KEYS?.split(":")[1] ?? "",
    ...(link && { setupToken: new URL(link).searchParams.get("token") ?? "" }),
    ...(await openTokens(at, kept.VAULT_KEYS ?? "")),
  };
}

/** Every token that lies in the vault now, opened with its key. */
async function openTokens(at: number, keys: string): Promise<Secrets> {
  resetEnv({ VAULT_KEYS: keys });
  const rows = await queryInstallation<{ id: string; workspace: string; access: string; refresh: string | null }>(
    "SELECT connection_id AS id, workspace_id AS workspace, access_sealed AS access, refresh_sealed AS refresh FROM connection_tokens",
    [],
    at,
  );
  const opened: Secrets = {};
  for (const { id, workspace, ...sealed } of rows)
    for (const field of ["access", "refresh"] as const) {
      const place = { workspaceId: workspace, table: "connection_tokens", row: id, field };
      const value = sealed[field];
      if (value) opened[`${field} token of ${id}`] = await open(value, place);
    }
  return opened;
}

async function dump(at: number): Promise<string> {
  const tables = await queryInstallation<{ name: string }>(
    "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')",
    [],
    at,
  );
  const lines: string[] = [];
  for (const { name } of tables)
    for (const { line } of await queryInstallation<{ line: string }>(`SELECT t::text AS line FROM ${name} t`, [], at)) lines.push(line);
  return lines.join("\n");
}

/** Every address that can be read, those of one thing with the first of its list. */
async function everyAnswer(at: number): Promise<string> {
  const { paths } = JSON.parse(await read(at, "/api/v1/openapi.json")) as { paths: Record<string, { get?: unknown }> };
  const texts: string[] = [];
  for (const [address, { get }] of Object.entries(paths)) {
    if (!get || address.endsWith("/feed")) continue;
    const [list = "", rest] = address.split("/{");
    const id = rest === undefined ? "" : await firstId(at, list);
    texts.push(await read(at, address.replace(/\{[^}]+\}/, encodeURIComponent(id))));
  }
  return texts.join("\n");
}

async function firstId(at: number, list: string): Promise<string> {
  const answer = await fetch(`${baseUrl(at)}${list}`, { headers: { authorization: `Bearer ${INSTALLATION.apiKey}` } });
  const body = (await answer.json().catch(() => null)) as { data?: { id?: string }[] } | null;
  return body?.data?.[0]?.id ?? "none";
}

async function read(at: number, address: string): Promise<string> {
  const answer = await fetch(`${baseUrl(at)}${address}`, { headers: { authorization: `Bearer ${INSTALLATION.apiKey}` } });
  return answer.text();
}
