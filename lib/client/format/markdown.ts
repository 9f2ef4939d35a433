export type Block =
  | { kind: "heading"; level: number; id: string; children: Inline[] }
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "list"; ordered: boolean; items: Block[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] };

const FENCE = /^\s*```/;
const HEADING = /^(#{1,4}) (.+)$/;
const ITEM = /^( *)([-*]|\d+\.) +(.*)$/;
const TABLE = /^\|.*\|\s*$/;

/** Parses the Markdown of our documentation: headings, paragraphs, lists, tables, fenced code. */
export function parseMarkdown(text: string): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  while (lines.length > 0) {
    const [line = ""] = lines;
    if (line.trim() === "") lines.shift();
    else blocks.push(readBlock(line, lines));
  }
  return blocks;
}

function readBlock(line: string, lines: string[]): Block {
  if (FENCE.test(line)) return readFence(lines);
  const [, marks = "", title = ""] = HEADING.exec(line) ?? [];
  if (marks !== "") {
    lines.shift();
    return { kind: "heading", level: marks.length, id: anchorOf(title), children: parseInline(title) };
  }
  if (ITEM.test(line)) return readList(lines);
  if (TABLE.test(line)) return readTable(takeWhile(lines, (each) => TABLE.test(each)));
  const first = lines.shift() ?? "";
  const rest = takeWhile(lines, (each) => each.trim() !== "" && !FENCE.test(each) && !HEADING.test(each) && !ITEM.test(each));
  return { kind: "paragraph", children: parseInline([first, ...rest].map((each) => each.trim()).join(" ")) };
}

function takeWhile(lines: string[], keep: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !keep(line));
  return lines.splice(0, end === -1 ? lines.length : end);
}

function readFence(lines: string[]): Block {
  const indent = /^\s*/.exec(lines.shift() ?? "")?.[0].length ?? 0;
  const inside = takeWhile(lines, (line) => !FENCE.test(line));
  lines.shift();
  return { kind: "code", text: inside.map((line) => line.slice(Math.min(indent, line.search(/\S|$/)))).join("\n") };
}

/** An item continues while its lines are indented beyond its mark. */
function readList(lines: string[]): Block {
  const [, margin = "", mark = ""] = ITEM.exec(lines[0] ?? "") ?? [];
  const items: Block[][] = [];
  for (;;) {
    const [, indent, , text = ""] = ITEM.exec(lines[0] ?? "") ?? [];
    if (indent !== margin) break;
    lines.shift();
    const belongs = (line: string) => line.trim() === "" || line.search(/\S/) > margin.length;
    const more = takeWhile(lines, belongs).map((line) => line.slice(Math.min(margin.length + 2, Math.max(0, line.search(/\S|$/)))));
    items.push(parseMarkdown([text, ...more].join("\n")));
  }
  return { kind: "list", ordered: /\d/.test(mark), items };
}

function readTable([head = "", , ...rows]: string[]): Block {
  return { kind: "table", head: cellsOf(head), rows: rows.map(cellsOf) };
}

/** A bar in code or after a backslash ends no cell. */
function cellsOf(line: string): Inline[][] {
  const cells =
    line
      .trim()
      .slice(1, -1)
      .match(/(?:`[^`]*`|\\\||[^|])+/g) ?? [];
  return cells.map((cell) => parseInline(cell.replaceAll("\\|", "|").trim()));
}

export const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong"; children: Inline[] }
  | { kind: "em"; children: Inline[] }
  | { kind: "link"; href: string; children: Inline[] };

/** The first match wins; code keeps its content. */
const MARKS = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*?)\*|\[((?:`[^`]*`|[^\]`])+)\]\(([^)\s]+)\)/;

/** Parses code, bold, italics and links. Everything else is text, HTML too. */
export function parseInline(text: string): Inline[] {
  const found = MARKS.exec(text);
  if (!found) return text === "" ? [] : [{ kind: "text", text }];
  const [all, code, strong, em, label, href] = found;
  const before: Inline[] = found.index === 0 ? [] : [{ kind: "text", text: text.slice(0, found.index) }];
  return [...before, markOf({ code, strong, em, label, href }), ...parseInline(text.slice(found.index + all.length))];
}

type Mark = Record<"code" | "strong" | "em" | "label" | "href", string | undefined>;

function markOf({ code, strong, em, label, href }: Mark): Inline {
  if (code !== undefined) return { kind: "code", text: code };
  if (strong !== undefined) return { kind: "strong", children: parseInline(strong) };
  if (em !== undefined) return { kind: "em", children: parseInline(em) };
  return { kind: "link", href: href ?? "", children: parseInline(label ?? "") };
}
