import { anchorOf } from "./markdown.ts";

export type DocumentationText = { name: string; title: string; text: string };

/** `before`, `match` and `after` make a line of the section in which the first word stands. */
export type Passage = { href: string; page: string; heading: string; before: string; match: string; after: string };

type Section = { href: string; page: string; heading: string; lines: string[] };

const MAX_FOUND = 30;
const AROUND = 90;

/** Finds the sections in which every word of `q` stands: those with all words in their heading first, then by the number of places. */
export function searchDocumentation(pages: DocumentationText[], q: string): Passage[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
  if (words.length === 0) return [];
  return pages
    .flatMap(sectionsOf)
    .map((section) => ({ section, rank: rankOf(section, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MAX_FOUND)
    .map(({ section: { href, page, heading, lines } }) => ({ href, page, heading, ...passageOf(lines, words[0] ?? "") }));
}

/** Splits a page at its headings; what stands in a code block is no heading. */
function sectionsOf({ name, title, text }: DocumentationText): Section[] {
  const sections: Section[] = [];
  let inCode = false;
  for (const line of text.split("\n")) {
    if (/^\s*```/.test(line)) inCode = !inCode;
    const heading = inCode ? undefined : /^#{1,4} (.+)$/.exec(line)?.[1];
    if (heading !== undefined)
      sections.push({ href: `/docs/${name}#${anchorOf(heading)}`, page: title, heading: plain(heading), lines: [] });
    else sections.at(-1)?.lines.push(plain(line));
  }
  return sections;
}

/** Leaves out the marks of Markdown: a link keeps its words, a table's row its cells. */
const plain = (line: string): string =>
  line
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s*\|\s*/g, " ")
    .trim();

/** Returns 0 if a word is missing. */
function rankOf({ page, heading, lines }: Section, words: string[]): number {
  const head = heading.toLowerCase();
  const text = `${page} ${heading} ${lines.join(" ")}`.toLowerCase();
  if (!words.every((word) => text.includes(word))) return 0;
  const places = words.reduce((sum, word) => sum + text.split(word).length - 1, 0);
  return places + (words.every((word) => head.includes(word)) ? 1000 : 0);
}

function passageOf(lines: string[], word: string): Pick<Passage, "before" | "match" | "after"> {
  const line = lines.find((each) => each.toLowerCase().includes(word)) ?? lines.find((each) => each !== "") ?? "";
  const found = line.toLowerCase().indexOf(word);
  const [at, end] = found < 0 ? [0, 0] : [found, found + word.length];
  const [from, to] = [Math.max(0, at - AROUND), end + AROUND];
  return {
    before: `${from > 0 ? "…" : ""}${line.slice(from, at)}`,
    match: line.slice(at, end),
    after: `${line.slice(end, to)}${to < line.length ? "…" : ""}`,
  };
}
