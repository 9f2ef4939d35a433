import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DocsPage } from "#components/docs/docs-page";
import { requireActor } from "#lib/auth/require-actor";
import { parseMarkdown } from "#lib/client/format/markdown";
import { DOCUMENTATION, isDocumentationName, readDocumentation } from "#lib/flows/installation/served-files";

type Props = { params: Promise<{ name: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await params;
  return { title: isDocumentationName(name) ? `${DOCUMENTATION[name]} · documentation` : "Documentation" };
}

export default async function Page({ params }: Props) {
  await requireActor("session.read");
  const { name } = await params;
  if (!isDocumentationName(name)) notFound();
  const pages = Object.entries(DOCUMENTATION).map(([each, title]) => ({ name: each, title }));
  return <DocsPage pages={pages} blocks={parseMarkdown(await readDocumentation(name))} />;
}
