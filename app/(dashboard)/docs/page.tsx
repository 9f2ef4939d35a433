import type { Metadata } from "next";
import { DocsStart } from "#components/docs/docs-start";
import { requireActor } from "#lib/auth/require-actor";
import { searchDocumentation } from "#lib/client/format/search-documentation";
import { CHAPTERS, DOCUMENTATION, readDocumentation } from "#lib/flows/installation/served-files";
import { type SearchParams, searchParamsOf } from "../page-url.ts";

export const metadata: Metadata = { title: "Documentation" };

const MAX_SEARCH = 200;

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  await requireActor("session.read");
  const q = (searchParamsOf(await searchParams).get("q") ?? "").trim().slice(0, MAX_SEARCH);
  const withTexts = () => Promise.all(DOCUMENTATION.map(async (page) => ({ ...page, text: await readDocumentation(page) })));
  const found = q === "" ? null : searchDocumentation(await withTexts(), q);
  return <DocsStart pages={DOCUMENTATION} chapters={CHAPTERS} q={q} found={found} />;
}
