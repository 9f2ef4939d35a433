import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { EnvError, parseEnv } from "#lib/config/env";
import { completeSecrets, createSecrets, readSecrets, SECRETS_FILE } from "#lib/installation/secrets-file";
import { temporaryFolder } from "#tests/support/temporary-folder";

test("secrets are made once, fit what the environment wants, stay, and are no other installation's", () => {
  const folder = temporaryFolder();
  createSecrets(folder, {});
  const first = completeSecrets(folder, {}, true);
  expect(() => parseEnv(first)).not.toThrow();
  expect(Object.keys(first).sort()).toEqual(["NEXTAUTH_SECRET", "VAULT_KEYS", "WEBHOOK_SECRET"]);
  createSecrets(folder, {});
  expect(completeSecrets(folder, {}, true)).toEqual(first);
  const other = temporaryFolder();
  createSecrets(other, {});
  expect(completeSecrets(other, {}, true)).not.toEqual(first);
});

test("only its owner may read the file, and a mode that was loosened is mended", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, SECRETS_FILE);
  createSecrets(folder, {});
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o644);
  completeSecrets(folder, {}, true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("what the environment gives goes first and is not written down", () => {
  const folder = temporaryFolder();
  const NEXTAUTH_SECRET = "given-from-outside-and-long-enough-too";
  createSecrets(folder, { NEXTAUTH_SECRET });
  const made = completeSecrets(folder, { NEXTAUTH_SECRET }, true);
  expect(made).not.toHaveProperty("NEXTAUTH_SECRET");
  expect(readFileSync(path.join(folder, SECRETS_FILE), "utf8")).not.toContain(NEXTAUTH_SECRET);
});

test("a secret that the file lacks is added before there are data, and the others keep their values", () => {
  const folder = temporaryFolder();
  createSecrets(folder, { NEXTAUTH_SECRET: "given-from-outside-and-long-enough-too" });
  const before = readSecrets(path.join(folder, SECRETS_FILE));
  createSecrets(folder, {});
  const after = readSecrets(path.join(folder, SECRETS_FILE));
  expect(after).toMatchObject(before);
  expect(after.NEXTAUTH_SECRET).toBeTruthy();
});

test("beside data that exist nothing is generated: the error says which file or name is missing", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, SECRETS_FILE);
  const ask = () => completeSecrets(folder, {}, true);
  expect(ask).toThrow(EnvError);
  expect(ask).toThrow(`${file} is missing, and there is data that belongs to it. Nothing was generated`);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, "NEXTAUTH_SECRET=given-from-outside-and-long-enough-too\n", { mode: 0o600 });
  expect(ask).toThrow(`${file} has no VAULT_KEYS,`);
  expect(readFileSync(file, "utf8")).not.toContain("VAULT_KEYS");
});

test("beside a database of one's own the secrets that belong to it are asked for, and none is made up", () => {
  const folder = temporaryFolder();
  const ask = () => completeSecrets(folder, { NEXTAUTH_SECRET: "given-from-outside-and-long-enough-too" }, false);
  expect(ask).toThrow(EnvError);
  expect(ask).toThrow(/VAULT_KEYS is required with DATABASE_URL/);
  expect(existsSync(path.join(folder, SECRETS_FILE))).toBe(false);
});
