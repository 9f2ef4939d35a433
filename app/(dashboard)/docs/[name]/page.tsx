import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DocsPage } from "#components/docs/docs-page";
import { requireActor } from "#lib/auth/require-actor";
import { parseMarkdown } from "#lib/client/format/markdown";
import { DOCUMENTATION, findDocumentation, readDocumentation } from "#lib/flows/installation/served-files";

type Props = { params: Promise<{ name: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await params;
  const page = findDocumentation(name);
  return { title: page ? `${page.title} · documentation` : "Documentation" };
}

export default async function Page({ params }: Props) {
  await requireActor("session.read");
  const { name } = await params;
  const page = findDocumentation(name);
  if (!page) notFound();
  return <DocsPage pages={DOCUMENTATION} blocks={parseMarkdown(await readDocumentation(page))} />;
}
