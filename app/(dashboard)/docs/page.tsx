import type { Metadata } from "next";
import { DocsStart } from "#components/docs/docs-start";
import { requireActor } from "#lib/auth/require-actor";
import { searchDocumentation } from "#lib/client/format/search-documentation";
import { CHAPTERS, DOCUMENTATION, type DocumentationName, readDocumentation } from "#lib/flows/installation/served-files";
import { type SearchParams, searchParamsOf } from "../page-url.ts";

export const metadata: Metadata = { title: "Documentation" };

const MAX_SEARCH = 200;

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  await requireActor("session.read");
  const q = (searchParamsOf(await searchParams).get("q") ?? "").trim().slice(0, MAX_SEARCH);
  const names = Object.keys(DOCUMENTATION) as DocumentationName[];
  const read = async (name: DocumentationName) => ({ name, title: DOCUMENTATION[name], text: await readDocumentation(name) });
  const found = q === "" ? null : searchDocumentation(await Promise.all(names.map(read)), q);
  const chapters = CHAPTERS.map(({ title, pages }) => ({
    title,
    pages: pages.map((page) => ({ ...page, title: DOCUMENTATION[page.name] })),
  }));
  return <DocsStart pages={names.map((name) => ({ name, title: DOCUMENTATION[name] }))} chapters={chapters} q={q} found={found} />;
}
