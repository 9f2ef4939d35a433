"use client";

import { ExactTime } from "#components/ui/exact-time";
import { KeyValueList } from "#components/ui/key-value-list";
import { Section } from "#components/ui/section";
import type { Diagnosis } from "#lib/contracts/diagnosis";

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** What a verdict rests on. */
export function Evidence({ diagnosis: { evidence } }: { diagnosis: Diagnosis }) {
  if (evidence.length === 0) return null;
  return (
    <Section title="Evidence" description="What the verdict rests on. Digests are shown by their first digits alone.">
      <KeyValueList items={evidence.map(({ label, value }) => ({ label, value: TIME.test(value) ? <ExactTime at={value} /> : value }))} />
    </Section>
  );
}
