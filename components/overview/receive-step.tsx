import { KeyRound } from "lucide-react";
import { useState } from "react";
import { ChoiceButtons } from "#components/ui/choice";
import { CodeBlock, CopyButton } from "#components/ui/code-block";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { toast } from "#components/ui/feedback/toast";
import { StateIcon } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { SecretOnce } from "#components/ui/secrets";
import { signingSnippets } from "#lib/client/format/signing-snippets";
import { useGiveSecret } from "#lib/client/queries/sandbox";
import { useRotateSecret } from "#lib/client/queries/settings";
import { countWords } from "#lib/contracts/format-count";

type ReceiveStepProps = {
  source: { id: string; url: string };
  canRotate: boolean;
  /** The sandbox replaces the platform. */
  inSandbox: boolean;
  quarantined: number;
};

export function ReceiveStep({ source, canRotate, inSandbox, quarantined }: ReceiveStepProps) {
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

/** Time for which the previous secret still verifies, so that a platform that has only that one keeps working. Hours. */
const OVERLAP_HOURS = 24;

type SigningSecretProps = { sourceId: string; canRotate: boolean; inSandbox: boolean };

function SigningSecret({ sourceId, canRotate, inSandbox }: SigningSecretProps) {
  const rotate = useRotateSecret(sourceId);
  const give = useGiveSecret();
  const secret = rotate.data?.secret ?? null;
  const generate = () =>
    rotate.mutate(
      { overlapHours: OVERLAP_HOURS },
      {
        onSuccess: ({ secret: made }) => {
          if (!inSandbox || made === null) return;
          const onError = (error: Error) => toast.error("The sandbox still signs with the old secret", { description: error.message });
          give.mutate(made, { onError });
        },
      },
    );
  if (!canRotate) {
    return (
      <p>
        Ask an owner or admin for the signing secret: they generate it under{" "}
        <TextLink href="/settings/sources">Sources and secrets</TextLink>.
      </p>
    );
  }
  if (secret !== null) {
    return (
      <SecretOnce
        secret={secret}
        what="secret"
        keep={
          inSandbox
            ? "The sandbox signs with it already. The code below reads it from WEBHOOK_SECRET."
            : "Copy it to the platform. The code below reads it from WEBHOOK_SECRET."
        }
      />
    );
  }
  return (
    <div className="flex flex-col items-start gap-2">
      {rotate.error ? (
        <ProblemNotice announce what="Couldn't generate a secret" why={rotate.error.message} className="self-stretch" />
      ) : null}
      <p>
        Generate a signing secret and copy it to the platform. If the platform issues one, enter it under{" "}
        <TextLink href="/settings/sources">Sources and secrets</TextLink>.
      </p>
      <Button size="sm" icon={<KeyRound aria-hidden />} loading={rotate.isPending} onClick={generate}>
        Generate signing secret
      </Button>
    </div>
  );
}

function SigningSnippets({ url }: { url: string }) {
  const snippets = signingSnippets(url);
  const [language, setLanguage] = useState(snippets[0]?.language);
  const chosen = snippets.find((snippet) => snippet.language === language);
  if (!chosen) return null;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <ChoiceButtons
        legend="Language"
        choices={snippets.map((snippet) => ({ value: snippet.language, label: snippet.label }))}
        chosen={chosen.language}
        onChoose={setLanguage}
      />
      <CodeBlock
        code={chosen.code}
        label={`${chosen.label} code`}
        wrap={false}
        title={
          <span className="truncate">
            <span className="font-mono">{chosen.file}</span>: run <span className="font-mono">{chosen.run}</span> with the secret in{" "}
            <span className="font-mono">WEBHOOK_SECRET</span>
          </span>
        }
      />
    </div>
  );
}
