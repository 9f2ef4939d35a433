import { Markdown } from "#components/docs/markdown";
import { PageBody } from "#components/ui/layout/page-body";
import { TabNav } from "#components/ui/layout/tab-nav";
import type { Block } from "#lib/client/format/markdown/blocks";

type DocsPageProps = { pages: { name: string; title: string }[]; blocks: Block[] };

export function DocsPage({ pages, blocks }: DocsPageProps) {
  const served = new Set(pages.map(({ name }) => name));
  return (
    <PageBody width="narrow">
      <TabNav label="Documentation" items={pages.map(({ name, title }) => ({ href: `/docs/${name}`, label: title }))} />
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
