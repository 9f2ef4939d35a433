import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ReceivingAppPage } from "#components/sandbox/receiving-app-page";
import { SandboxHeader } from "#components/sandbox/sandbox-part";
import { PageBody } from "#components/ui/layout/page-header";
import { requireActor } from "#lib/auth/require-actor";
import { env } from "#lib/config/env";

export const metadata: Metadata = { title: "Receiving app · Sandbox" };

export default async function SandboxReceivingAppPage() {
  await requireActor("sandbox.use", "/sandbox/receiving-app");
  if (!env().sandboxOn) notFound();
  return (
    <PageBody>
      <SandboxHeader description="A simulated receiver for testing destinations. It verifies what they send, and can be slow or fail." />
      <ReceivingAppPage />
    </PageBody>
  );
}
