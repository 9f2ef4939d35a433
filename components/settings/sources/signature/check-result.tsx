import { Banner } from "#components/ui/feedback/banner";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { CopyButton } from "#components/ui/json/copy-button";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import type { SignatureCheck } from "#lib/contracts/auth/signature-checks";

export function CheckResult({ check: { verifies, status, verdict, fix, evidence, expected, received } }: { check: SignatureCheck }) {
  const same = expected === received;
  return (
    <section aria-label="Result" aria-live="polite" className="flex flex-col gap-4">
      {verifies && status === 200 ? (
        <Banner tone="fine">
          {verdict} {fix}
        </Banner>
      ) : (
        <ProblemNotice tone={verifies ? "attention" : "failed"} what={verdict} fix={fix} />
      )}
      <KeyValueList
        items={[
          { label: "Answer", value: ANSWERS[status] },
          {
            label: "Expected",
            value: <Digest digest={expected} differsAt={same || received === null ? null : firstDifference(expected, received)} copy />,
          },
          {
            label: "Received",
            value:
              received === null ? (
                "No signature of 64 hexadecimal digits"
              ) : (
                <Digest digest={received} differsAt={same ? null : firstDifference(received, expected)} />
              ),
          },
          ...evidence.map(({ label, value }) => ({ label, value })),
        ]}
      />
    </section>
  );
}

const ANSWERS = { 200: "200: stored as an event", 202: "202: quarantined, no event", 401: "401: quarantined, not verified" };

function firstDifference(one: string, other: string): number {
  const at = [...one].findIndex((character, index) => character !== other[index]);
  return at === -1 ? one.length : at;
}

type DigestProps = { digest: string; differsAt: number | null; copy?: boolean };

function Digest({ digest, differsAt, copy = false }: DigestProps) {
  const end = differsAt ?? digest.length;
  return (
    <span className="flex max-w-full items-start gap-1">
      <code className="min-w-0 break-all text-12">
        {digest.slice(0, end)}
        {differsAt === null ? null : <mark className="rounded-sm bg-failed-surface text-failed">{digest.slice(end)}</mark>}
      </code>
      {copy ? <CopyButton value={digest} label="Copy expected signature" /> : null}
    </span>
  );
}
