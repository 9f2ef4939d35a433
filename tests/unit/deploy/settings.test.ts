import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { envSchema, type RawEnv } from "#lib/config/env";
import { STOP_LIMITS } from "#lib/installation/stop-limits";

type Setting = keyof RawEnv;

const FOLDER = path.resolve(import.meta.dirname, "../../../deploy");
const ROOT = path.dirname(FOLDER);
const read = (file: string) => readFileSync(path.join(FOLDER, file), "utf8");

/** They are secrets, or URLs that may hold one. */
const SECRETS: Setting[] = [
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "NEXTAUTH_SECRET",
  "VAULT_KEYS",
  "OWNER_PASSWORD",
  "INIT_API_KEY",
  "PLATFORM_CLIENT_SECRET",
  "WEBHOOK_SECRET",
  "OIDC_CLIENT_SECRET",
  "METRICS_TOKEN",
  "FORWARD_PROXY",
  "SMTP_URL",
  "HEARTBEAT_URL",
  "BACKUP_KEY",
  "BACKUP_S3_ACCESS_KEY_ID",
  "BACKUP_S3_SECRET_ACCESS_KEY",
];

/** The image sets them: its health check, its port and its volume depend on them. */
const OF_THE_IMAGE: Setting[] = ["NODE_ENV", "PORT", "DATA_DIR"];

const settings = Object.keys(envSchema.shape) as Setting[];

describe("the settings in deploy/", () => {
  it("Helm's config takes every setting but secrets and what the image sets, and nothing else", () => {
    const { config } = JSON.parse(read("helm/signalbox/values.schema.json")).properties;
    const expected = settings.filter((name) => ![...SECRETS, ...OF_THE_IMAGE].includes(name));
    expect(config.additionalProperties).toBe(false);
    expect(Object.keys(config.properties).toSorted()).toEqual(expected.toSorted());
  });

  it.each(["helm/signalbox/values.yaml", "kustomize/base/kustomization.yaml", "kustomize/example/kustomization.yaml"])(
    "%s sets only what there is",
    (file) => {
      const named = [...read(file).matchAll(/^ +(?:- )?([A-Z][A-Z_]+)[:=]/gm)].map(([, name]) => name);
      expect(named).toContain("APP_URL");
      expect(named.filter((name) => !settings.includes(name as Setting))).toEqual([]);
    },
  );

  it("compose hands on every line of deploy/.env, and its example leaves what is not filled in empty", () => {
    expect(read("compose.yaml")).toMatch(/^ {2}env_file: \.env$/m);
    const lines = read("compose.env.example").split("\n");
    const named = lines.flatMap((line) => /^(?:# )?([A-Z][A-Z_]+)=/.exec(line)?.[1] ?? []);
    expect(named.filter((name) => name !== "POSTGRES_PASSWORD" && !settings.includes(name as Setting))).toEqual([]);
    // Compose reads "NAME=   # comment" as a value.
    expect(lines.filter((line) => /=\s*#/.test(line))).toEqual([]);
  });
});

it("the image keeps the pages of docs/ that the product shows", () => {
  const removed = readFileSync(path.join(ROOT, ".dockerignore"), "utf8").split("\n");
  expect(removed).toContain("docs/screenshots");
  for (const name of ["docs", "docs/", "docs/*", "docs/*.md", "*.md", "**/*.md"]) expect(removed).not.toContain(name);
});

it.each([
  ["compose.yaml", /stop_grace_period: (\d+)s/],
  ["systemd/signalbox.service", /TimeoutStopSec=(\d+)/],
  ["systemd/signalbox@.service", /TimeoutStopSec=(\d+)/],
])("%s gives a stop the 15 s of docs/deploy.md, more than it takes", (file, seconds) => {
  expect(Number(seconds.exec(read(file))?.[1])).toBe(15);
  expect(STOP_LIMITS.everything).toBeLessThan(15_000);
  expect(readFileSync(path.join(ROOT, "docs/deploy.md"), "utf8")).toContain("Give it 15 s before a kill.");
});
