"use client";

import { NothingMatches } from "#components/ui/layout/content-states";
import { PageBody } from "#components/ui/layout/page-header";
import { Button } from "#components/ui/primitives/button";
import { SearchInput } from "#components/ui/primitives/input";
import { TextLink } from "#components/ui/primitives/page-link";
import type { Passage } from "#lib/client/format/search-documentation";
import { countWords } from "#lib/contracts/format-count";
import { DocsNav, type DocsPageLink } from "./docs-page.tsx";

type Chapter = { title: string; pages: (DocsPageLink & { about: string })[] };

/** `found`: null without a search. */
type DocsStartProps = { pages: DocsPageLink[]; chapters: Chapter[]; q: string; found: Passage[] | null };

export function DocsStart({ pages, chapters, q, found }: DocsStartProps) {
  return (
    <PageBody width="narrow">
      <DocsNav pages={pages} />
      <article className="flex min-w-0 flex-col gap-5 text-13">
        <h1 className="font-semibold text-20">Documentation</h1>
        <search>
          <form action="/docs" className="flex gap-2">
            <SearchInput
              key={q}
              name="q"
              label="Search the documentation"
              placeholder="For example: rotate secret"
              maxLength={200}
              defaultValue={q}
            />
            <Button type="submit">Search</Button>
          </form>
        </search>
        {found === null ? <Chapters chapters={chapters} /> : <Found q={q} found={found} />}
      </article>
    </PageBody>
  );
}

const Chapters = ({ chapters }: { chapters: Chapter[] }) => (
  <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
    {chapters.map(({ title, pages }) => (
      <section key={title} className="flex flex-col gap-2">
        <h2 className="font-semibold text-14">{title}</h2>
        <ul className="flex flex-col gap-2.5">
          {pages.map(({ name, title: page, about }) => (
            <li key={name}>
              <TextLink href={`/docs/${name}`} className="font-medium">
                {page}
              </TextLink>
              <p className="text-muted">{about}</p>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
);

function Found({ q, found }: { q: string; found: Passage[] }) {
  if (found.length === 0)
    return (
      <NothingMatches what="sections">
        No section has all of the words “{q}”. Try fewer, or look through <TextLink href="/docs">all chapters</TextLink>.
      </NothingMatches>
    );
  return (
    <section className="flex flex-col gap-3">
      <p role="status" className="text-muted">
        {countWords(found.length, "section")} with “{q}”. <TextLink href="/docs">All chapters</TextLink>
      </p>
      <ol className="flex flex-col gap-4">
        {found.map(({ href, page, heading, before, match, after }) => (
          <li key={href} className="min-w-0">
            <TextLink href={href} className="font-medium">
              {heading === page ? page : `${page}: ${heading}`}
            </TextLink>
            <p className="break-words text-muted">
              {before}
              {match === "" ? null : <mark className="rounded-sm bg-selected text-text">{match}</mark>}
              {after}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
