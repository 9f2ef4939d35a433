"use client";

import { StateBadge } from "#components/records/badges/state-badge";
import { SecretOnce } from "#components/ui/feedback/secret-once";
import { CodeBlock } from "#components/ui/json/code-block";
import { CopyButton } from "#components/ui/json/copy-button";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Button } from "#components/ui/primitives/button";
import { useAwaitedSource } from "#lib/client/queries/sources/sources";
import type { CreatedSource } from "#lib/contracts/sources/sources";

export const LearnScheme = lazyComponent(() => import("./learn-scheme.tsx").then((module) => module.LearnScheme));

export function UnknownSource({ created, onClose }: { created: CreatedSource; onClose: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <SourceUrl url={created.url} />
      <LearnScheme source={created} onSet={onClose} />
      <Button className="self-end" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}

function SourceUrl({ url }: { url: string }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-13 font-medium">Enter this URL at the sender</p>
      <span className="flex max-w-full items-center gap-1">
        <code className="min-w-0 break-all text-12">{url}</code>
        <CopyButton value={url} label="Copy URL" />
      </span>
    </div>
  );
}

/** Shows the sender's settings and a request that proves the source, and waits for the first event. */
export function AddedSource({ created, onClose }: { created: CreatedSource; onClose: () => void }) {
  const received = useAwaitedSource(created.id);
  return (
    <div className="flex flex-col gap-4">
      <SourceUrl url={created.url} />
      {created.secret === null ? null : <SecretOnce secret={created.secret} what="secret" keep="Enter it at the sender." />}
      {created.verifyToken === null ? null : (
        <div className="flex flex-col gap-1.5">
          <p className="text-13 font-medium">Enter this as the verify token</p>
          <span className="flex max-w-full items-center gap-1">
            <code className="min-w-0 break-all text-12">{created.verifyToken}</code>
            <CopyButton value={created.verifyToken} label="Copy verify token" />
          </span>
        </div>
      )}
      {created.proof === "" ? (
        <p className="text-13">Only the sender can sign. Send a test event from there.</p>
      ) : (
        <div className="flex flex-col gap-2">
          <p className="text-13">To verify the set-up, run this within five minutes. It sends a first event as the sender would.</p>
          <CodeBlock code={created.proof} label="A signed request" />
        </div>
      )}
      <div role="status">
        {received ? (
          <StateBadge state="fine">First event received</StateBadge>
        ) : (
          <StateBadge state="working">Waiting for the first event</StateBadge>
        )}
      </div>
      <Button className="self-end" variant="primary" onClick={onClose}>
        {created.secret === null ? "Done" : "I've copied it"}
      </Button>
    </div>
  );
}
