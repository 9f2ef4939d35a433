import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DeliveryLog } from "#components/sandbox/delivery-log";
import { FaultsPanel, MissingPanel } from "#components/sandbox/fault-panels";
import { EventForm, ScenarioForm, SigningSecretForm, TrafficForm } from "#components/sandbox/sandbox-forms";
import { SandboxHeader, SandboxParts } from "#components/sandbox/sandbox-part";
import { PageBody } from "#components/ui/layout/page-header";
import { requireActor } from "#lib/auth/require-actor";
import { env } from "#lib/config/env";
import { freshSeed, sampleEvents } from "#lib/sandbox/payloads";

export const metadata: Metadata = { title: "Sandbox" };

export default async function SandboxPage() {
  await requireActor("sandbox.use", "/sandbox");
  if (!env().sandboxOn) notFound();
  return (
    <PageBody>
      <SandboxHeader description="A simulated platform that sends real, signed webhooks to Signalbox over HTTP." />
      <div className="grid gap-6 min-[1100px]:grid-cols-[minmax(320px,400px)_minmax(0,1fr)]">
        <div className="min-w-0">
          <SandboxParts>
            <ScenarioForm />
            <TrafficForm />
            <EventForm samples={sampleEvents(freshSeed())} />
            <FaultsPanel />
            <MissingPanel />
            <SigningSecretForm />
          </SandboxParts>
        </div>
        <div className="min-w-0 min-[1100px]:sticky min-[1100px]:top-[calc(48px+20px)] min-[1100px]:self-start">
          <DeliveryLog />
        </div>
      </div>
    </PageBody>
  );
}
