import { useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { toast } from "#components/ui/feedback/toast";
import { Field, Form } from "#components/ui/form";
import { Button, LinkButton } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { RelativeTime, useNow } from "#components/ui/relative-time";
import { useChangeSource, useLearnScheme } from "#lib/client/queries/sources";
import type { Source, SourceLearning } from "#lib/contracts/sources/sources";

/** Finds the scheme from a received request and the secret. */
export function LearnScheme({ source, onSet }: { source: Pick<Source, "id" | "name" | "scheme">; onSet?: () => void }) {
  const learn = useLearnScheme(source.id);
  const [secret, setSecret] = useState("");
  return (
    <div className="flex flex-col gap-3">
      <Window source={source} />
      <Form failed="Couldn't try the secret" error={learn.error} onSubmit={() => learn.mutate({ secret: secret.trim() })} className="gap-3">
        <Field
          label="The sender's secret"
          hint="It is tried with every known scheme on the requests received. It is stored once you choose a sender."
        >
          <Input
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            required
            minLength={8}
            maxLength={500}
          />
        </Field>
        <Button type="submit" variant="primary" loading={learn.isPending} className="self-start">
          Find the sender
        </Button>
      </Form>
      {learn.data ? <Found source={source} secret={learn.variables.secret} found={learn.data} onSet={onSet} /> : null}
    </div>
  );
}

function Window({ source: { id, name, scheme } }: { source: Pick<Source, "id" | "name" | "scheme"> }) {
  const change = useChangeSource(id);
  const until = scheme.unknown?.until ?? "";
  const now = useNow();
  if (Date.parse(until) > now)
    return (
      <p className="text-13 text-muted">
        Send a request from the sender now. Requests are rejected with 401 and kept in{" "}
        <LinkButton size="sm" variant="ghost" href={`/quarantine?source=${name}`}>
          Quarantine
        </LinkButton>
        to identify the sender. This ends <RelativeTime at={until} ahead />.
      </p>
    );
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-13 text-muted">The ten minutes are over: requests are answered 503, and nothing is kept.</p>
      {change.error ? <ProblemNotice what="Couldn't keep requests again" why={change.error.message} /> : null}
      <Button size="sm" loading={change.isPending} onClick={() => change.mutate({ learning: true })}>
        Keep requests for 10 minutes
      </Button>
    </div>
  );
}

type FoundProps = { source: Pick<Source, "id" | "name">; secret: string; found: SourceLearning; onSet: (() => void) | undefined };

function Found({ source: { id, name }, secret, found, onSet }: FoundProps) {
  const change = useChangeSource(id);
  const hint = found.hint && <ProblemNotice announce what={found.hint.verdict} fix={found.hint.fix} />;
  if (found.fits.length === 0) return hint;
  return (
    <div role="status" className="flex flex-col gap-2">
      {hint}
      {change.error ? <ProblemNotice what="Couldn't set the sender" why={change.error.message} /> : null}
      {found.fits.map(({ template, title, scheme, requests }) => (
        <div key={JSON.stringify([template, scheme])} className="flex flex-wrap items-center gap-3">
          <span className="text-13">
            {title}: fits {requests} of {found.tried}
            {scheme.hmac ? (
              <code className="ml-1 text-12">{`${scheme.hmac.header ?? scheme.hmac.query}: ${scheme.hmac.content}`}</code>
            ) : null}
          </span>
          <Button
            size="sm"
            variant="primary"
            loading={change.isPending}
            onClick={() =>
              change.mutate(
                { template: template === "unknown" ? undefined : template, scheme, secret },
                {
                  onSuccess: () => {
                    toast.success(`${name} is a source for ${title}`, {
                      description: "Release the requests in Quarantine, or send them again.",
                    });
                    onSet?.();
                  },
                },
              )
            }
          >
            Use {title}
          </Button>
        </div>
      ))}
    </div>
  );
}
