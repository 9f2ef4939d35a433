"use client";

import { KeyRound } from "lucide-react";
import { useState } from "react";
import { CopyButton } from "#components/ui/code-block";
import { Banner, ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field, Form, Textarea } from "#components/ui/form";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { TextLink } from "#components/ui/primitives/page-link";
import { useHydrated } from "#components/ui/primitives/use-hydrated";
import { bodyBytes, bytesWords } from "#lib/client/format/bytes";
import { useCheckSignature } from "#lib/client/queries/sources";
import type { SignatureCheck, SignatureCheckBody } from "#lib/contracts/quarantine";

type KeptRequest = { id: string; bytes: number; raw: string | null; rawBase64: string | null; header: string };

export function SignaturePlayground({ request }: { request: KeptRequest | null }) {
  const check = useCheckSignature();
  const hydrated = useHydrated();
  const [body, setBody] = useState(request?.raw ?? "");
  const cut = request !== null && bodyBytes(request).length < request.bytes;
  function submit(fields: FormData) {
    const [header = "", secret = ""] = ["header", "secret"].map((name) => String(fields.get(name) ?? ""));
    check.mutate({ ...bodyOf(request, body), header, secret });
  }
  return (
    <Section
      title="Signature playground"
      description="Check a body and its signature against a secret, exactly as Signalbox does for webhooks. Nothing you enter is stored or logged."
    >
      {request === null ? null : (
        <p className="text-muted">
          With the body and signature of{" "}
          <TextLink href={`/quarantine/${encodeURIComponent(request.id)}`}>this quarantined request</TextLink>.
        </p>
      )}
      {cut ? (
        <ProblemNotice tone="attention" what="Only the beginning of this body was stored" fix="Paste the whole body to check it." />
      ) : null}
      <Form failed="Couldn't check the signature" error={check.error} method="post" onSubmit={submit}>
        <BodyField request={request} body={body} onChange={setBody} />
        <Field name="header" label="x-webhook-signature" hint="The header's value.">
          <Input
            name="header"
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            maxLength={4000}
            defaultValue={request?.header}
          />
        </Field>
        <Field name="secret" label="Secret" hint="Used for this check only.">
          <Input name="secret" type="password" className="font-mono" autoComplete="off" required maxLength={500} />
        </Field>
        <Button
          type="submit"
          variant="primary"
          icon={<KeyRound aria-hidden />}
          className="self-start"
          loading={check.isPending}
          disabled={!hydrated}
        >
          Check signature
        </Button>
      </Form>
      {check.data ? <CheckResult check={check.data} /> : null}
    </Section>
  );
}

type BodyFieldProps = { request: KeptRequest | null; body: string; onChange: (body: string) => void };

function BodyField({ request, body, onChange }: BodyFieldProps) {
  if (request?.rawBase64) return <p>The body is not text: {bytesWords(bodyBytes(request).length)}, checked as received.</p>;
  return (
    <Field name="body" label="Body" hint="The raw body, byte for byte.">
      <Textarea
        name="body"
        rows={8}
        className="font-mono text-12"
        spellCheck={false}
        autoComplete="off"
        value={body}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

/** Returns an unedited body as the bytes that were received, because a text field changes line breaks. */
function bodyOf(request: KeptRequest | null, body: string): Pick<SignatureCheckBody, "body" | "bodyBase64"> {
  if (request === null || (request.rawBase64 === null && body !== request.raw)) return { body };
  return { bodyBase64: btoa(Array.from(bodyBytes(request), (byte) => String.fromCharCode(byte)).join("")) };
}

function CheckResult({ check: { verifies, status, verdict, fix, evidence, expected, received } }: { check: SignatureCheck }) {
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
