import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { BusyDaysForm } from "#components/sandbox/busy-days-form";
import { DeliveryLog } from "#components/sandbox/delivery-log";
import { EventForm } from "#components/sandbox/event-form";
import { MisbehavePanel } from "#components/sandbox/misbehave-panel";
import { MissingPanel } from "#components/sandbox/missing-panel";
import { SigningSecretForm } from "#components/sandbox/signing-secret-form";
import { StoryForm } from "#components/sandbox/story-form";
import { PageBody } from "#components/ui/page-body";
import { PageHeader } from "#components/ui/page-header";
import { requireActor } from "#lib/auth/require-actor";
import { env } from "#lib/config/env";
import { freshSeed } from "#lib/sandbox/random";
import { sampleEvents } from "#lib/sandbox/samples";

export const metadata: Metadata = { title: "Sandbox" };

/** The sandbox platform's controls: tell a story, send an event, misbehave, and see what came back. */
export default async function SandboxPage() {
  await requireActor("sandbox.use", "/sandbox");
  if (!env().sandboxOn) notFound();
  return (
    <PageBody>
      <PageHeader title="Sandbox" description="A stand-in for the platform: it sends real signed webhooks to this Signalbox over HTTP." />
      <div className="grid gap-6 min-[1100px]:grid-cols-[minmax(320px,400px)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <StoryForm />
          <BusyDaysForm />
          <EventForm samples={sampleEvents(freshSeed())} />
          <MisbehavePanel />
          <SigningSecretForm />
          <MissingPanel />
        </div>
        <div className="min-w-0">
          <DeliveryLog />
        </div>
      </div>
    </PageBody>
  );
}
