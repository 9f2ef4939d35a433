import { Plus } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { CodeBlock, CopyButton } from "#components/ui/code-block";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { Field, Form, FormButtons } from "#components/ui/form";
import { withFallback } from "#components/ui/layout/content-states";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { Dialog } from "#components/ui/overlay/dialog";
import { StateBadge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { SecretOnce, secretCloses } from "#components/ui/secrets";
import { useAwaitedSource, useCreateSource, useSourceTemplates } from "#lib/client/queries/sources";
import type { CreatedSource, CreateSourceBody } from "#lib/contracts/sources/sources";
import type { SourceTemplate, SourceTemplateName } from "#lib/contracts/sources/templates";
import { SchemeFields, schemeOfForm } from "./scheme-fields.tsx";
import { useLinkedDialog } from "./source-dialog.tsx";

export function AddSourceDialog() {
  const [open, setOpen] = useLinkedDialog((query) => query.get("open") === "add");
  const { data: templates, fallback } = withFallback(useSourceTemplates(open), { what: "the senders", rows: 3 });
  const create = useCreateSource();
  const sender = usePageQuery().query.get("sender");
  useCommands([{ label: "Add source", run: () => setOpen(true) }]);
  function change(next: boolean) {
    setOpen(next);
    if (!next) create.reset();
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      closes={secretCloses(create.isPending, create.data?.secret)}
      title={create.data ? `Added ${create.data.name}` : "Add source"}
      trigger={
        <Button size="sm" variant="primary" icon={<Plus aria-hidden />}>
          Add source
        </Button>
      }
    >
      {create.data ? (
        create.data.template === "unknown" ? (
          <UnknownSource created={create.data} onClose={() => change(false)} />
        ) : (
          <AddedSource created={create.data} onClose={() => change(false)} />
        )
      ) : !templates ? (
        fallback
      ) : (
        <AddSourceForm
          templates={templates}
          sender={sender}
          error={create.error}
          pending={create.isPending}
          onSubmit={(body) => create.mutate(body)}
          onCancel={() => change(false)}
        />
      )}
    </Dialog>
  );
}

type AddSourceFormProps = {
  templates: SourceTemplate[];
  /** Title of the template to begin with, as a link names it. */
  sender: string | null;
  error: Error | null;
  pending: boolean;
  onSubmit: (body: CreateSourceBody) => void;
  onCancel: () => void;
};

function AddSourceForm({ templates, sender, error, pending, onSubmit, onCancel }: AddSourceFormProps) {
  const [chosen, setChosen] = useState<SourceTemplateName>(templates.find(({ title }) => title === sender)?.name ?? "stripe");
  const [name, setName] = useState<string | null>(null);
  const template = templates.find((one) => one.name === chosen);
  function submit(form: FormData) {
    const secret = String(form.get("secret") ?? "");
    const scheme = schemeOfForm(template?.takes ?? chosen, form);
    onSubmit({ name: name ?? chosen, template: chosen, ...(secret !== "" && { secret }), ...(scheme && { scheme }) });
  }
  return (
    <Form failed="Couldn't add the source" error={error} onSubmit={submit}>
      <Field name="template" label="Sender">
        <Select
          options={[...templates.map(({ name: value, title }) => ({ value, label: title })), UNKNOWN]}
          value={chosen}
          onValueChange={(value) => setChosen(value as SourceTemplateName)}
        />
      </Field>
      <Field name="name" label="Name" hint="The end of the URL: /webhooks/name. Lowercase letters, digits and dashes.">
        <Input
          required
          maxLength={63}
          pattern="[a-z0-9][a-z0-9\-]*"
          autoComplete="off"
          spellCheck={false}
          value={name ?? chosen}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <SchemeFields key={chosen} template={chosen} known={template} />
      {template?.needsSecret ? (
        <Field name="secret" label="Secret" hint={secretHintOf(template)}>
          <Input
            name="secret"
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            minLength={8}
            maxLength={1000}
            required={!template.generatesSecret && !template.bringsSecret}
          />
        </Field>
      ) : null}
      {template ? <Facts template={template} /> : <p className="text-13 text-muted">{LEARNING}</p>}
      <FormButtons submitLabel="Add source" pending={pending} onCancel={onCancel} />
    </Form>
  );
}

const UNKNOWN = { value: "unknown", label: "I don't know" };
const LEARNING =
  "For 10 minutes the source keeps incoming requests in Quarantine. Then paste the secret: it is tried with every known scheme to find the sender.";

const secretHintOf = ({ secretHint, generatesSecret }: SourceTemplate) =>
  `${secretHint} Blanks and line ends around it are left out.${generatesSecret ? " Leave it empty to generate one." : ""}`;

const PROVES: Record<SourceTemplate["trust"], string> = {
  signed: "Requests are signed: nobody else can send them or change their body.",
  partly: "Requests are signed in part: the signature covers only some fields of the body. Anyone who has seen one could change the rest.",
  token: "Requests carry a secret and are not signed: anyone who learns it can send anything.",
  network: "Requests are not signed: anything sent from these networks is accepted.",
};

const CHECKED: Record<NonNullable<SourceTemplate["proof"]>, string> = {
  bytes: "Checked with requests that the sender signed.",
  verifier: "Checked with the sender's own verifier.",
  source: "Checked against the source code of the sender.",
  documentation: "Made after the sender's documentation; not checked with anything that it signed.",
};

function Facts({ template: { trust, retries, answerWithin, docsUrl, proof, unchecked } }: { template: SourceTemplate }) {
  return (
    <div className="flex flex-col gap-1 text-13 text-muted">
      <p>{PROVES[trust]}</p>
      <p>
        If a request fails: {retries}
        {answerWithin === null ? null : ` It waits ${answerWithin} s for an answer.`}
      </p>
      {proof === null ? null : <p>{CHECKED[proof]}</p>}
      {unchecked.length === 0 ? null : <p>Not checked: {unchecked.join("; ")}.</p>}
      {docsUrl === null ? null : (
        <p>
          <a href={docsUrl} target="_blank" rel="noreferrer" className="text-accent-text underline underline-offset-2">
            The sender's documentation
          </a>
        </p>
      )}
    </div>
  );
}

export const LearnScheme = lazyComponent(() => import("./learn-scheme.tsx").then((module) => module.LearnScheme));

function UnknownSource({ created, onClose }: { created: CreatedSource; onClose: () => void }) {
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
function AddedSource({ created, onClose }: { created: CreatedSource; onClose: () => void }) {
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
