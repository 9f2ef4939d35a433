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
