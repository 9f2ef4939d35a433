import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { isObject, parseExact } from "#lib/contracts/exact-json";
import { tellableValues } from "#lib/event-types/live-field";
import type { SchemaTree } from "#lib/event-types/schema";
import { Learning } from "#tests/support/lessons";

// What is stored of a type's schema names no person: over every payload of octokit/webhooks, each taught often enough for its values to be kept.

const FOLDER = path.join(import.meta.dirname, "libraries/node_modules/@octokit/webhooks-examples");
const SETS = ["api.github.com", "ghes-31", "ghes-32", "ghes-33", "ghes-34", "ghes-35"];
type Examples = { name: string; examples: Record<string, unknown>[] }[];
const examplesOf = (set: string) => parseExact(readFileSync(path.join(FOLDER, set, "index.json"), "utf8")) as Examples;

/** Fields of GitHub's payloads that name somebody or something of theirs, hold what people wrote, or a secret. */
const PERSONAL =
  /(^|_)(name|login|email|username|token|secret|fingerprint|avatar|phone|address|company|location|bio|body|message|title|description|label|slug)$/i;
/** The form of an address, a phone number, a digest or a token, wherever it stands. */
const FORM = /\S@\S+\.\w|^\+?\d[\d ()-]{6,}$|^[0-9a-f]{20,}$|^gh[pousr]_|:\/\//;

/** A word of code, which may name a thing in one place and be a state in another: `deploy`, `read`. */
const WORD = /^[a-z_]{1,12}$|^[A-Z]{1,12}$|^[A-Z][a-z]{1,5}$/;

/** Every text, and every number of six digits and more, that is personal by its field or by its form; words of code and of states are not. */
function personalIn(value: unknown, key = "", found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const each of value) personalIn(each, key, found);
  else if (isObject(value)) for (const [inner, each] of Object.entries(value)) personalIn(each, inner, found);
  else if (typeof value === "string" && value.length >= 3) {
    if (FORM.test(value) || (PERSONAL.test(key) && !WORD.test(value))) found.add(value);
  } else if (value !== null && typeof value !== "boolean" && String(value).length >= 6) found.add(String(value));
  return found;
}

const REPEATS = 210;

function schemasOf(sets: string[]): SchemaTree[] {
  const types = new Map<string, Learning>();
  for (const { name, examples } of sets.flatMap(examplesOf))
    for (const example of examples) {
      const type = typeof example.action === "string" ? `${name}.${example.action}` : name;
      const learning = types.get(type) ?? new Learning(REPEATS / 2);
      types.set(type, learning);
      // Each as an event of a record of its own, the worst that can be.
      for (let n = 0; n < REPEATS; n += 1) learning.teach(example);
    }
  return [...types.values()].map(({ stored }) => stored.tree);
}

it("no email address, name, phone number, token or other personal text of any example is in a stored schema", { timeout: 300_000 }, () => {
  const personal = new Set<string>();
  for (const { examples } of SETS.flatMap(examplesOf)) personalIn(examples, "", personal);
  expect(personal.size).toBeGreaterThan(1000);
  const trees = schemasOf(SETS);
  const kept = trees.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([field, stats]) => [
      ...(tellableValues(stats) ?? []).map(({ text }) => ({ field, text })),
      ...(stats.number ?? []).map((text) => ({ field, text })),
    ]),
  );
  // Values of enumerations are kept: else the scan would prove nothing.
  expect(new Set(kept.map(({ text }) => text)).size).toBeGreaterThan(50);
  expect(kept.filter(({ text }) => personal.has(text))).toEqual([]);
  expect(trees.map((tree) => JSON.stringify(tree)).filter((text) => FORM.test(text.replaceAll(/"evt_\d+",\d+,\d+/g, "")))).toEqual([]);
});
