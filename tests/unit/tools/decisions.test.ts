import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../tools/run-command.ts";

const FOLDER = path.join(ROOT, "docs/decisions");
const files = readdirSync(FOLDER).filter((name) => name !== "README.md");
const read = (name: string) => readFileSync(path.join(FOLDER, name), "utf8");

describe("docs/decisions", () => {
  it("numbers files and headings alike, without a gap", () => {
    files.toSorted().forEach((name, index) => {
      const number = index + 1;
      expect(name).toMatch(new RegExp(`^${String(number).padStart(4, "0")}-[a-z0-9-]+\\.md$`));
      expect(read(name)).toMatch(new RegExp(`^# ${number}\\. [A-Z]`));
    });
  });

  it("lists every decision by its title in the README", () => {
    const readme = read("README.md");
    for (const name of files) {
      const [, number, title] = /^# (\d+)\. (.+)$/m.exec(read(name)) ?? [];
      expect(readme).toContain(`| ${number} | [${title}](${name}) |`);
    }
  });
});

describe("links between documents", () => {
  const pages = [...["README", "CONTRIBUTING", "SECURITY", "CHANGELOG"].map((name) => `${name}.md`), ...markdownIn("docs")];

  it.each(pages)("%s links to files that exist", (page) => {
    const text = readFileSync(path.join(ROOT, page), "utf8");
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
    const broken = targets.filter((target) => !existsSync(path.resolve(ROOT, path.dirname(page), target)));
    expect(broken).toEqual([]);
  });
});

function markdownIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}
