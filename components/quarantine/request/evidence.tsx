"use client";

import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { ExactTime } from "#components/ui/time/exact-time";
import type { Diagnosis } from "#lib/contracts/diagnosis";

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Shows the evidence of a diagnosis. Digests are aligned, with the first different digit marked. */
export function Evidence({ diagnosis: { evidence } }: { diagnosis: Diagnosis }) {
  if (evidence.length === 0) return null;
  const digests = evidence.flatMap(({ digest }) => digest ?? []);
  const [received = "", ...expected] = digests;
  return (
    <Section title="Evidence" description="What the verdict is based on. Digests are shortened.">
      <KeyValueList
        items={evidence.map(({ label, value, digest }, index) => {
          if (digest === undefined) return { label, value: TIME.test(value) ? <ExactTime at={value} /> : value };
          const isReceived = evidence.findIndex((each) => each.digest !== undefined) === index;
          const other = isReceived ? expected[0] : received;
          return { label, value: <Digest digits={digest} differsAt={other === undefined ? -1 : firstDifference(digest, other)} /> };
        })}
      />
    </Section>
  );
}

/** Returns the index of the first digit in which two digests differ; -1 if they don't. */
const firstDifference = (one: string, other: string) => [...one].findIndex((digit, at) => digit !== other[at]);

function Digest({ digits, differsAt }: { digits: string; differsAt: number }) {
  if (differsAt < 0) return <span className="font-mono">{digits}…</span>;
  return (
    <span className="font-mono">
      {digits.slice(0, differsAt)}
      <mark className="rounded-sm bg-failed-surface text-failed underline" title={`Differs from digit ${differsAt + 1}`}>
        {digits[differsAt]}
      </mark>
      {digits.slice(differsAt + 1)}…
    </span>
  );
}
