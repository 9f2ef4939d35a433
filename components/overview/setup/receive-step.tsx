"use client";

import { SigningSnippets } from "#components/records/signing-snippets";
import { StateIcon } from "#components/ui/feedback/state-icon";
import { CopyButton } from "#components/ui/json/copy-button";
import { TextLink } from "#components/ui/layout/text-link";
import { countWords } from "#lib/contracts/counts/format-count";
import { SigningSecret } from "./signing-secret.tsx";

type Props = {
  source: { id: string; url: string };
  canRotate: boolean;
  /** The sandbox replaces the platform. */
  inSandbox: boolean;
  quarantined: number;
};

export function ReceiveStep({ source, canRotate, inSandbox, quarantined }: Props) {
  const ownCode = (
    <>
      <div>
        <p>Set this webhook URL on the platform.</p>
        <p className="mt-1.5 flex max-w-full items-center gap-1">
          <code className="min-w-0 truncate rounded-sm border border-line bg-sunken px-2 py-1 text-12 text-text">{source.url}</code>
          <CopyButton value={source.url} label="Copy URL" />
        </p>
      </div>
      <SigningSecret sourceId={source.id} canRotate={canRotate} inSandbox={inSandbox} />
      <div>
        <p className="mb-1.5">Send a signed event from your code.</p>
        <SigningSnippets url={source.url} />
      </div>
    </>
  );
  return (
    <div className="flex min-w-0 flex-col gap-4 pt-1">
      {inSandbox ? (
        <>
          <p>The sandbox signs an event and sends it here, as the platform does.</p>
          <details>
            <summary className="cursor-pointer text-text">Send one from your own code</summary>
            <div className="flex flex-col gap-4 pt-3">{ownCode}</div>
          </details>
        </>
      ) : (
        ownCode
      )}
      <p className="flex items-center gap-1.5 text-working" role="status">
        <StateIcon state="working" className="size-3.5" /> Waiting for the first event…
      </p>
      {quarantined === 0 ? null : (
        <p className="flex items-center gap-1.5 text-attention">
          <StateIcon state="attention" className="size-3.5" />
          <span>
            {`${countWords(quarantined, "request")} arrived and ${quarantined === 1 ? "was" : "were"} rejected.`}{" "}
            <TextLink href="/quarantine">See why</TextLink>
          </span>
        </p>
      )}
    </div>
  );
}
