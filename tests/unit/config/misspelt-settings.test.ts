import { expect, test } from "vitest";
import { misspeltSettings } from "#lib/config/env";

test.each([
  ["BACKUP_DIRR", "BACKUP_DIR"],
  ["DATABSE_URL", "DATABASE_URL"],
  ["WEBHOOK_SECERT", "WEBHOOK_SECRET"],
  ["trusted_proxies", "TRUSTED_PROXIES"],
])("%s is taken for a misspelt %s, and its value is not repeated", (name, meant) => {
  const words = misspeltSettings({ [name]: "a-secret-value", [meant]: "kept" });
  expect(words).toEqual([`The environment sets ${name}, which is not a setting and has no effect. Did you mean ${meant}?`]);
});

test("settings, and what other programs have in the environment, are no misspellings", () => {
  const others =
    "PATH HOME PWD SHELL PGPORT PGHOST LANG TERM HOSTNAME NODE_OPTIONS npm_lifecycle_event OTEL_SERVICE_NAME KUBERNETES_PORT HTTPS_PROXY";
  expect(misspeltSettings(Object.fromEntries(["PORT", "BACKUP_DIR", ...others.split(" ")].map((name) => [name, "1"])))).toEqual([]);
});
