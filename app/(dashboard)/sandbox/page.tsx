import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DeliveryLog } from "#components/sandbox/delivery-log";
import { EventForm } from "#components/sandbox/event-form";
import { FaultsPanel } from "#components/sandbox/faults-panel";
import { MissingPanel } from "#components/sandbox/missing-panel";
import { SandboxHeader } from "#components/sandbox/sandbox-header";
import { ScenarioForm } from "#components/sandbox/scenario-form";
import { SigningSecretForm } from "#components/sandbox/signing-secret-form";
import { TrafficForm } from "#components/sandbox/traffic-form";
import { PageBody } from "#components/ui/layout/page-body";
import { requireActor } from "#lib/auth/require-actor";
import { env } from "#lib/config/env";
import { freshSeed } from "#lib/sandbox/scenarios/random";
import { sampleEvents } from "#lib/sandbox/scenarios/samples";

export const metadata: Metadata = { title: "Sandbox" };

export default async function SandboxPage() {
  await requireActor("sandbox.use", "/sandbox");
  if (!env().sandboxOn) notFound();
  return (
    <PageBody>
      <SandboxHeader description="A simulated platform that sends real, signed webhooks to Signalbox over HTTP." />
      <div className="grid gap-6 min-[1100px]:grid-cols-[minmax(320px,400px)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <ScenarioForm />
          <TrafficForm />
          <EventForm samples={sampleEvents(freshSeed())} />
          <FaultsPanel />
          <SigningSecretForm />
          <MissingPanel />
        </div>
        <div className="min-w-0 min-[1100px]:sticky min-[1100px]:top-[calc(48px+20px)] min-[1100px]:self-start">
          <DeliveryLog />
        </div>
      </div>
    </PageBody>
  );
}
