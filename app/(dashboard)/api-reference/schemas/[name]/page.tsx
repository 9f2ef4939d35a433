import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SchemaPage } from "#components/api-reference/schema-fields";
import { requireActor } from "#lib/auth/require-actor";
import { describeApi } from "../../../../api/v1/inventory.ts";

type Props = { params: Promise<{ name: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).name };
}

export default async function Page({ params }: Props) {
  await requireActor("session.read");
  const { name } = await params;
  const { schemas } = (await describeApi()).components;
  if (!Object.hasOwn(schemas, name)) notFound();
  return <SchemaPage name={name} schemas={schemas} />;
}
