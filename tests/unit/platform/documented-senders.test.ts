import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SOURCE_TEMPLATES } from "#lib/contracts/sources/templates";
import { TEMPLATES } from "#lib/platform/schemes/templates";

it("every template stands in docs/sources.md, and says in one sentence each where its secret is found and when it tries again", () => {
  const page = readFileSync("docs/sources.md", "utf8");
  for (const name of SOURCE_TEMPLATES) {
    expect(page, name).toMatch(new RegExp(`^\\| [^|]*\`${name}\``, "m"));
    const { secretHint, retries } = TEMPLATES[name];
    for (const words of [secretHint, retries]) expect(words, name).toMatch(/^[\p{L}\p{N}@].*\.$/u);
  }
});

it("a known sender names where its facts are from, and what it could not be checked against", () => {
  const known = SOURCE_TEMPLATES.flatMap((name) => (TEMPLATES[name].facts === undefined ? [] : [TEMPLATES[name]]));
  expect(known.length).toBeGreaterThanOrEqual(65);
  for (const { title, facts = [], proof, docsUrl, records, record } of known) {
    expect([facts.length > 0, proof !== undefined, docsUrl !== null], title).toEqual([true, true, true]);
    expect(record !== undefined, title).toBe(records !== "none");
  }
});
