import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { decisionFiles, findDeadDecisions } from "../../../tools/rules/decisions.ts";
import { readDocuments, readSources } from "../../../tools/rules/source-file.ts";
import { ROOT } from "../../../tools/run-command.ts";

const FOLDER = path.join(ROOT, "docs/decisions");
const files = decisionFiles(ROOT);
const read = (name: string) => readFileSync(path.join(FOLDER, name), "utf8");
const readme = read("README.md");

describe("docs/decisions", () => {
  it("numbers files and headings alike", () => {
    for (const name of files) {
      expect(name).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
      expect(read(name)).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. [A-Z]`));
    }
    expect(new Set(files.map((name) => name.slice(0, 4))).size).toBe(files.length);
  });

  it("holds sixty at most", () => {
    expect(files.length).toBeLessThanOrEqual(60);
  });

  it("lists every decision once by its title in the README", () => {
    for (const name of files) {
      const [, number, title] = /^# (\d+)\. (.+)$/m.exec(read(name)) ?? [];
      expect(readme.split(`| ${number} | [${title}](${name}) |`)).toHaveLength(2);
    }
  });

  it("uses no number again, and says of each that went where its reason is", () => {
    const gone = [...readme.slice(readme.indexOf("## Numbers that went")).matchAll(/^\| (\d+) \| .+ \| (.+) \|$/gm)];
    const numbers = [...files.map((name) => Number(name.slice(0, 4))), ...gone.map(([, number]) => Number(number))];
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
    for (const [, , place = ""] of gone) expect(place).toMatch(/^\[.+\]\(.+\)$|^no longer so/);
  });
});

describe("what names a decision", () => {
  const DECISIONS = ["0004-the-inbox-has-no-leases.md", "0045-first-deliveries-are-read-by-position.md"];
  const found = (text: string, name = "docs/page.md") => findDeadDecisions([{ name, text }], DECISIONS);

  it.each([
    "see [decision 45](decisions/0045-first-deliveries-are-read-by-position.md)",
    "([4](docs/decisions/0004-the-inbox-has-no-leases.md#cost), [45](decisions/0045-first-deliveries-are-read-by-position.md))",
    "[why](decisions/0004-the-inbox-has-no-leases.md)",
    "/** A claim (docs/decisions/0045). */",
    "// as decision 4 says",
  ])("%s is well", (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ["/** A claim (docs/decisions/0046). */", '"decisions/0046", which is not there'],
    ["[45](decisions/0045-another-name.md)", '"decisions/0045-another-name", which is not there'],
    ["/**\n * Sealed (decision\n * 103) and proved.\n */", "which is not there"],
    ["// decision 46", '"decision 46", which is not there'],
    ["[decision 4](decisions/0045-first-deliveries-are-read-by-position.md)", 'says "decision 4" and leads to decision 45'],
    ["[5](0004-the-inbox-has-no-leases.md)", 'says "5" and leads to decision 4'],
  ])("%s is found", (text, words) => {
    expect(found(text)).toEqual([expect.stringContaining(words)]);
  });

  it("a finding names its line", () => {
    expect(found("a\nb\nc decisions/0046", "lib/a.ts")).toEqual([expect.stringMatching(/^lib\/a\.ts:3 /)]);
  });

  it("documents and sources name decisions that are there", () => {
    expect(findDeadDecisions([...readDocuments(ROOT), ...readSources(ROOT)], files)).toEqual([]);
  });
});

describe("links between documents", () => {
  const pages = readDocuments(ROOT).filter(({ name }) => name.endsWith(".md"));

  it.each(pages)("$name links to files that exist", ({ name, text }) => {
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
    const broken = targets.filter((target) => !existsSync(path.resolve(ROOT, path.dirname(name), target)));
    expect(broken).toEqual([]);
  });

  it.each(pages)("$name links to headings that exist", ({ name, text }) => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
    const broken = links.filter(([, page = "", anchor = ""]) => {
      const target = page === "" ? name : path.join(path.dirname(name), page);
      return target.endsWith(".md") && !headingsOf(readFileSync(path.join(ROOT, target), "utf8")).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

/** Anchors of a page's headings, as GitHub makes them. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, words = ""]) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
