import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseInline, parseMarkdown } from "#lib/client/format/markdown";
import { DOCUMENTATION } from "#lib/flows/installation/served-files";

const text = (part: string) => ({ kind: "text", text: part });

describe("inline", () => {
  it("reads code, bold and links, and keeps what stands inside code", () => {
    expect(parseInline("set `a*b*` to **on**, see [the `API`](api.md#errors).")).toEqual([
      text("set "),
      { kind: "code", text: "a*b*" },
      text(" to "),
      { kind: "strong", children: [text("on")] },
      text(", see "),
      { kind: "link", href: "api.md#errors", children: [text("the "), { kind: "code", text: "API" }] },
      text("."),
    ]);
  });

  it("takes HTML and single stars for text", () => {
    expect(parseInline("<b>2 * 3 * 4</b>")).toEqual([text("<b>2 * 3 * 4</b>")]);
  });
});

describe("blocks", () => {
  it("reads headings, a list with code inside, and a table with a bar in code", () => {
    const blocks = parseMarkdown(
      "# A title: here\n\n1. first\n   goes on\n   ```sh\n   ls | wc\n   ```\n2. second\n\n| a | b |\n|---|---|\n| `x | y` | z |\n",
    );
    expect(blocks).toMatchObject([
      { kind: "heading", level: 1, id: "a-title-here" },
      {
        kind: "list",
        ordered: true,
        items: [
          [
            { kind: "paragraph", children: [text("first goes on")] },
            { kind: "code", text: "ls | wc" },
          ],
          [{ kind: "paragraph", children: [text("second")] }],
        ],
      },
      { kind: "table", head: [[text("a")], [text("b")]], rows: [[[{ kind: "code", text: "x | y" }], [text("z")]]] },
    ]);
  });

  it("loses no word of any page of the documentation", () => {
    const folder = path.resolve("docs");
    const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
    for (const { name } of DOCUMENTATION) expect(names).toContain(`${name}.md`);
    for (const name of names) {
      // The language of a code block is not shown.
      const source = readFileSync(path.join(folder, name), "utf8").replaceAll(/^\s*```.*$/gm, "```");
      const kept = JSON.stringify(parseMarkdown(source));
      const lost = (source.match(/[A-Za-z]{3,}/g) ?? []).filter((word) => !kept.includes(word));
      expect(lost, name).toEqual([]);
    }
  });
});
