import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findUnknownMetrics, METRICS_PAGE, renderMetricsPage } from "../../../tools/metrics-page.ts";
import { decisionFiles, findDeadDecisions } from "../../../tools/rules/decisions.ts";
import { readDocuments } from "../../../tools/rules/source-file.ts";
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

describe("what documents say of the code", () => {
  const pageOf = (name: string) => readFileSync(path.join(ROOT, name), "utf8");

  const [, walk = ""] = /## A webhook's walk\n([\s\S]*?)\n## /.exec(pageOf("docs/ARCHITECTURE.md")) ?? [];
  const stops = [...walk.matchAll(/^(\d+)\. (?:`([^`]+)`, `(\w+)`)?/gm)].map(([, , file = "", name = ""]) => ({ file, name }));

  it("a webhook's walk has fifteen stops at most", () => {
    expect(stops.length).toBeGreaterThan(10);
    expect(stops.length).toBeLessThanOrEqual(15);
  });

  it.each(stops)("the walk's stop $file has $name", ({ file, name }) => {
    expect(existsSync(path.join(ROOT, file))).toBe(true);
    expect(pageOf(file)).toMatch(new RegExp(`(function\\*?|const) ${name}\\b|^  (async )?${name}\\(`, "m"));
  });

  /** Names in backticks. */
  const quoted = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

  it("every store and every test that the list of interleavings names is there", () => {
    // Rows of the tables whose first cell names files of the product, and whose last one names tests.
    const rows = pageOf("docs/interleavings.md")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.slice(1, -1).split(" | "));
    const product = globSync("lib/**/*.ts");
    const tests = globSync("tests/{integration,deep,field}/**/*.test.ts");
    expect(rows.length).toBeGreaterThan(60);
    const stores = rows
      .flatMap(([first]) => quoted(first))
      .filter((name) => /^[a-z][a-z/-]*-(store|sql|spool|busy|records|available)$/.test(name));
    expect(stores.length).toBeGreaterThan(60);
    expect(stores.filter((name) => !product.some((file) => file.endsWith(`/${name}.ts`)))).toEqual([]);
    const named = rows.flatMap((cells) => quoted(cells[3]));
    expect(named.length).toBeGreaterThan(60);
    expect(
      named.filter((name) => !["integration/", "deep/", ""].some((part) => tests.some((file) => file.startsWith(`tests/${part}${name}`)))),
    ).toEqual([]);
  });

  it("every test that the documentation tells to run is there", () => {
    const tests = globSync("tests/**/*.test.ts");
    const named = [...globSync("docs/**/*.md"), "CONTRIBUTING.md", "README.md", "CHANGELOG.md"].flatMap((file) =>
      [...pageOf(file).matchAll(/tests\/(?:unit|integration|deep)\/[\w./-]+/g)].map(([name]) => name),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !tests.some((test) => test === name || test.startsWith(`${name}/`)))).toEqual([]);
  });

  // Elsewhere prom-client leaves out what it reads from /proc.
  it.runIf(process.platform === "linux")(
    "docs/metrics.md is what the code says; after a change of metrics run: npm run docs:metrics",
    () => {
      expect(readFileSync(METRICS_PAGE, "utf8")).toBe(renderMetricsPage());
    },
  );

  it("docs/metrics.md names alerts and label values only of metrics that exist", () => {
    expect(findUnknownMetrics(renderMetricsPage())).toEqual([]);
  });

  it("the README's pictures exist and show this version: npm run bench -- screenshots makes them", () => {
    const pictures = [...pageOf("README.md").matchAll(/\]\((docs\/screenshots\/[^)]+)\)/g)].map(([, file = ""]) => file);
    expect(pictures.length).toBeGreaterThan(0);
    expect(pictures.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
    const { version } = JSON.parse(pageOf("package.json")) as { version: string };
    expect(JSON.parse(pageOf("docs/screenshots/version.json"))).toEqual({ version });
  });

  it("docs/configuration.md has a line for every variable of the environment, and for no other", () => {
    const declared = [...pageOf("lib/config/env.ts").matchAll(/^ {4}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name);
    const firstColumns = [...pageOf("docs/configuration.md").matchAll(/^\| (`[A-Z].*?) \|/gm)].map(([, names = ""]) => names);
    const documented = firstColumns.flatMap((names) => [...names.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name));
    const variables = documented.filter((name) => !["TRACE", "CONNECT"].includes(name ?? ""));
    expect(declared.length).toBeGreaterThan(25);
    expect(variables.toSorted()).toEqual([...new Set(declared)].toSorted());
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

it("docs/security.md names tests that are there", () => {
  const folders: Record<string, string> = { i: "integration", u: "unit", e: "e2e", f: "field", d: "deep" };
  const named = [...readFileSync(path.join(ROOT, "docs/security.md"), "utf8").matchAll(/`([iuefd])\/([\w/-]+)`/g)];
  const isThere = (name: string) => globSync(path.join(ROOT, "tests", `${name}{,.test.ts,.spec.ts}`)).length > 0;
  expect(named.map(([, folder = "", name]) => `${folders[folder]}/${name}`).filter((name) => !isThere(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(80);
});
