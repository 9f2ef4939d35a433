import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DeliveryLog } from "#components/sandbox/delivery-log";
import { SandboxHeader } from "#components/sandbox/sandbox-part";
import { SenderForm } from "#components/sandbox/sender-form";
import { PageBody } from "#components/ui/layout/page-header";
import { requireActor } from "#lib/auth/require-actor";
import { env } from "#lib/config/env";

export const metadata: Metadata = { title: "Other senders · Sandbox" };

export default async function SandboxSendersPage() {
  await requireActor("sandbox.use", "/sandbox/senders");
  if (!env().sandboxOn) notFound();
  return (
    <PageBody>
      <SandboxHeader description="Sends an event to one of your sources as its sender would, signed with the secret that you enter." />
      <div className="grid gap-6 min-[1100px]:grid-cols-[minmax(320px,400px)_minmax(0,1fr)]">
        <SenderForm />
        <DeliveryLog />
      </div>
    </PageBody>
  );
}
