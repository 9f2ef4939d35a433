import type { ReactNode } from "react";
import { CodeBlock } from "#components/ui/code-block";
import { PageBody } from "#components/ui/layout/page-header";
import { TabNav } from "#components/ui/layout/tabs";
import { TextLink } from "#components/ui/primitives/page-link";
import type { Block, Inline } from "#lib/client/format/markdown";

export type DocsPageLink = { name: string; title: string };

type DocsPageProps = { pages: DocsPageLink[]; blocks: Block[] };

export const DocsNav = ({ pages }: { pages: DocsPageLink[] }) => (
  <TabNav
    label="Documentation"
    items={[{ href: "/docs", label: "Start" }, ...pages.map(({ name, title }) => ({ href: `/docs/${name}`, label: title }))]}
  />
);

export function DocsPage({ pages, blocks }: DocsPageProps) {
  const served = new Set(pages.map(({ name }) => name));
  return (
    <PageBody width="narrow">
      <DocsNav pages={pages} />
      <article className="flex min-w-0 flex-col gap-3 text-13">
        <Markdown blocks={blocks} hrefOf={(href) => hrefOf(href, served)} />
      </article>
    </PageBody>
  );
}

/** Returns null for a link to the source code, which leads nowhere from here. */
function hrefOf(href: string, served: ReadonlySet<string>): string | null {
  if (href.startsWith("#") || /^https?:\/\//.test(href)) return href;
  const [, name = "", anchor = ""] = /^(?:docs\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return served.has(name) ? `/docs/${name}${anchor}` : null;
}

type MarkdownProps = {
  blocks: Block[] /** The page's own address for a link; null for what is not served. */;
  hrefOf: (href: string) => string | null;
};

/** Renders Markdown. HTML in the text is not rendered. */
function Markdown({ blocks, hrefOf }: MarkdownProps) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a page's blocks never change order.
    <BlockView key={index} block={block} hrefOf={hrefOf} />
  ));
}

const HEADINGS = ["", "text-20", "text-16 mt-4", "text-14 mt-2", "text-13"];

function BlockView({ block, hrefOf }: { block: Block } & Pick<MarkdownProps, "hrefOf">) {
  const inline = (children: Inline[]) => inlineOf(children, hrefOf);
  switch (block.kind) {
    case "heading": {
      const Tag = `h${block.level}` as "h1";
      return (
        <Tag id={block.id} className={`scroll-mt-16 font-semibold ${HEADINGS[block.level]}`}>
          {inline(block.children)}
        </Tag>
      );
    }
    case "paragraph":
      return <p className="max-w-[80ch] break-words leading-6">{inline(block.children)}</p>;
    case "code":
      return <CodeBlock code={block.text} label="code" wrap={false} />;
    case "list": {
      const Tag = block.ordered ? "ol" : "ul";
      return (
        <Tag className={`flex max-w-[80ch] flex-col gap-1.5 pl-5 ${block.ordered ? "list-decimal" : "list-disc"}`}>
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <li key={index} className="break-words leading-6">
              <Markdown blocks={item} hrefOf={hrefOf} />
            </li>
          ))}
        </Tag>
      );
    }
    case "table":
      return <TableView head={block.head.map(inline)} rows={block.rows.map((row) => row.map(inline))} />;
    default:
      return block satisfies never;
  }
}

const CELL = "pr-4 align-top max-[640px]:block min-[641px]:border-b min-[641px]:border-line min-[641px]:py-1.5";

function TableView({ head, rows }: { head: ReactNode[]; rows: ReactNode[][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section aria-label="Table" tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-left text-13 max-[640px]:block min-[641px]:min-w-[560px]">
        <thead className={head.every((cell) => Array.isArray(cell) && cell.length === 0) ? "sr-only" : "max-[640px]:sr-only"}>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a table's columns never change order.
              <th key={index} scope="col" className="border-b border-line py-1.5 pr-4 align-top font-medium">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-[640px]:block">
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nor do its rows.
            <tr key={index} className="max-[640px]:block max-[640px]:border-b max-[640px]:border-line max-[640px]:py-1.5">
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                <td key={column} className={CELL}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const inlineOf = (children: Inline[], hrefOf: MarkdownProps["hrefOf"]): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts never change order.
  children.map((part, index) => <InlineView key={index} part={part} hrefOf={hrefOf} />);

function InlineView({ part, hrefOf }: { part: Inline } & Pick<MarkdownProps, "hrefOf">) {
  if (part.kind === "text") return part.text;
  if (part.kind === "code") return <code className="break-words rounded-sm bg-sunken px-1 text-12">{part.text}</code>;
  const inside = inlineOf(part.children, hrefOf);
  if (part.kind === "strong") return <strong className="font-semibold">{inside}</strong>;
  if (part.kind === "em") return <em>{inside}</em>;
  const href = hrefOf(part.href);
  return href === null ? inside : <TextLink href={href}>{inside}</TextLink>;
}
