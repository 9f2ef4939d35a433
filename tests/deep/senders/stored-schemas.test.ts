import { readFileSync } from "node:fs";
import path from "node:path";
import { sign } from "@octokit/webhooks-methods";
import { afterEach, expect, it } from "vitest";
import { isObject, parseExact, writeJson } from "#lib/contracts/exact-json";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { applyAndLearn, newWorker } from "#tests/support/learnt-types";
import { useNodeReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";

// What is stored of a type's schema names no person: over every payload of octokit/webhooks, each sent often enough for its values to be kept.

useDatabase();
afterEach(newWorker);
const { makeSender } = useSenders(useNodeReceiver());

const FOLDER = path.join(import.meta.dirname, "libraries/node_modules/@octokit/webhooks-examples");
type Examples = { name: string; examples: unknown[] }[];
const examplesOf = (set: string) => parseExact(readFileSync(path.join(FOLDER, set, "index.json"), "utf8")) as Examples;

/** Fields of GitHub's payloads that hold what names somebody, or is a secret. */
const PERSONAL =
  /(^|_)(name|login|email|emails|username|token|secret|fingerprint|avatar|phone|address|company|location|bio|body|message|title|description)$/i;

/** Every text, and every number of six digits and more, of personal fields and with the form of one. */
function personalIn(value: unknown, key = "", found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const each of value) personalIn(each, key, found);
  else if (isObject(value)) for (const [inner, each] of Object.entries(value)) personalIn(each, inner, found);
  else if (typeof value === "string" && value.length >= 4) {
    if (PERSONAL.test(key) || /\S@\S|^\+?\d[\d ()-]{6,}$|^[0-9a-f]{20,}$|^gh[pousr]_/.test(value)) found.add(value);
  } else if (value !== null && typeof value !== "boolean" && String(value).length >= 6) found.add(String(value));
  return found;
}

const REPEATS = 210;

it("no email address, name, phone number, token or other text of personal fields of any example is in a stored schema", async () => {
  const { workspaceId, secret, post } = await makeSender("github");
  const personal = new Set<string>();
  let sent = 0;
  for (const { name, examples } of examplesOf("api.github.com"))
    for (const example of examples.slice(0, 2)) {
      personalIn(example, "", personal);
      const body = writeJson(example);
      for (let n = 0; n < REPEATS; n += 1) {
        const headers = {
          "x-github-event": name,
          "x-github-delivery": `delivery-${sent}`,
          "x-hub-signature-256": await sign(secret, body),
        };
        expect((await post(body, headers)).status).toBe(200);
        sent += 1;
      }
      await applyAndLearn();
    }
  const tables = ["event_schemas", "event_schema_changes", "event_schema_drifts", "event_schema_versions"];
  const stored = await Promise.all(
    tables.map(
      async (table) =>
        (await pool().query<{ text: string }>(`SELECT to_jsonb(t)::text AS text FROM ${table} t WHERE workspace_id = $1`, [workspaceId]))
          .rows,
    ),
  );
  const texts = stored.flat().map(({ text }) => text);
  expect(texts.length).toBeGreaterThan(50);
  // Values of enumerations are kept: else the scan would prove nothing.
  expect(texts.join("\n")).toContain('"text": "');
  // As values stand: between quotes, or as a bound.
  const leaked = [...personal].filter((value) =>
    texts.some(
      (text) =>
        text.includes(`"text": ${JSON.stringify(value)}`) ||
        text.includes(`["${value}"`) ||
        text.includes(`"detail": ${JSON.stringify(value)}`),
    ),
  );
  expect(leaked).toEqual([]);
  expect(texts.filter((text) => /[\w.]+@[\w-]+\.\w+/.test(text))).toEqual([]);
}, 600_000);
