import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { OperationPage } from "#components/api-reference/operation-page";
import { callsOf } from "#components/api-reference/reference";
import { requireActor } from "#lib/auth/require-actor";
import { describeApi } from "../../../api/v1/inventory.ts";

type Props = { params: Promise<{ operation: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await findCall(await params))?.operation.summary ?? "API reference" };
}

export default async function Page({ params }: Props) {
  await requireActor("session.read");
  const call = await findCall(await params);
  if (!call) notFound();
  return <OperationPage call={call} document={await describeApi()} />;
}

const findCall = async ({ operation: id }: { operation: string }) =>
  callsOf(await describeApi()).find(({ operation }) => operation.operationId === id);
