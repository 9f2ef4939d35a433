import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { Field, Form, FormButtons } from "#components/ui/form";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { TextLink } from "#components/ui/primitives/page-link";
import { Select } from "#components/ui/primitives/select";
import { RelativeTime } from "#components/ui/relative-time";
import { SecretOnce, secretCloses } from "#components/ui/secrets";
import { useRotateSecret } from "#lib/client/queries/settings";
import type { RotateSecretBody } from "#lib/contracts/auth/settings";
import type { Source } from "#lib/contracts/sources/sources";
import { opensDialog, useLinkedDialog } from "./source-dialog.tsx";

type RotateDialogProps = {
  source: Source;
  /** True if the workspace has only this source: the palette's command then doesn't name it. */
  alone: boolean;
};

/** Shows a generated secret once. The old one stays valid until the overlap ends. */
export function RotateDialog({ source, alone }: RotateDialogProps) {
  const { query } = usePageQuery();
  const given = opensDialog(query, source, "set-secret");
  const [open, setOpen] = useLinkedDialog(() => given || opensDialog(query, source, "rotate"));
  const rotate = useRotateSecret(source.id);
  useCommands([{ label: alone ? "Rotate signing secret" : `Rotate secret of ${source.name}`, run: () => setOpen(true) }]);
  function change(next: boolean) {
    setOpen(next);
    if (!next) rotate.reset();
  }
  const created = rotate.data;
  const starts = startOf(source, given);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      closes={secretCloses(rotate.isPending, created?.secret)}
      title={created ? `New secret for ${source.name}` : starts.title}
      trigger={
        <Button size="sm" icon={<RotateCw aria-hidden />}>
          Rotate secret
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {created ? (
          <>
            {created.secret === null ? (
              <p>
                Webhooks signed with the secret you entered are now accepted. Those that were rejected can be verified again:{" "}
                <TextLink href={`/quarantine?source=${encodeURIComponent(source.name)}`}>quarantine of {source.name}</TextLink>.
              </p>
            ) : null}
            {created.secret === null ? null : <SecretOnce secret={created.secret} what="secret" />}
            <p className="text-muted">
              {created.secret === null ? "" : "Enter it at the sender. "}
              {created.previousValidUntil === null || rotate.variables?.overlapHours === 0 ? (
                "The old secret no longer works."
              ) : (
                <>
                  The old secret stops working <RelativeTime at={created.previousValidUntil} ahead />.
                </>
              )}
            </p>
            <Button className="self-end" variant="primary" onClick={() => change(false)}>
              {created.secret === null ? "Done" : "I've copied it"}
            </Button>
          </>
        ) : (
          <RotateForm
            issued={!source.generatesSecret}
            starts={starts}
            error={rotate.error}
            pending={rotate.isPending}
            onSubmit={(body) => rotate.mutate(body)}
            onCancel={() => change(false)}
          />
        )}
      </div>
    </Dialog>
  );
}

/** Returns how the dialog starts. `linked`: a rejected request asks for the sender's secret. A secret that verified no event needs no overlap. */
export const startOf = ({ name, issuesSecret, lastEventAt }: Source, linked: boolean) => ({
  title: `${linked ? "Set" : "Rotate"} secret for ${name}`,
  origin: linked || issuesSecret ? "given" : "generated",
  overlap: lastEventAt === null ? "0" : "24",
  unproven: lastEventAt === null,
});

const OVERLAPS = [
  { value: "24", label: "24 hours", hint: "time to update the sender" },
  { value: "1", label: "1 hour" },
  { value: "168", label: "7 days" },
  { value: "0", label: "None", hint: "the old secret leaked: stop accepting it now" },
];

/** Says before the rotation what the choice means. */
export function overlapHint(hours: string, unproven = false): string {
  if (hours !== "0") return "Until then, webhooks signed with either secret are accepted.";
  if (unproven) return "The old secret stops working at once. No event has been verified with it.";
  return "The old secret stops working at once: webhooks are rejected until the sender signs with the new one.";
}

const ORIGINS = [
  { value: "generated", label: "Generate one", hint: "shown once, then enter it at the sender" },
  { value: "given", label: "Enter the sender's secret", hint: "if the sender issues it" },
];

/** `issued`: only the sender makes the secret. */
type RotateFormProps = {
  issued: boolean;
  starts: ReturnType<typeof startOf>;
  error: Error | null;
  pending: boolean;
  onSubmit: (body: RotateSecretBody) => void;
  onCancel: () => void;
};

function RotateForm({ issued, starts, error, pending, onSubmit, onCancel }: RotateFormProps) {
  const [overlap, setOverlap] = useState(starts.overlap);
  const [origin, setOrigin] = useState(starts.origin);
  const [secret, setSecret] = useState("");
  const own = issued || origin === "given";
  const submit = () => onSubmit({ overlapHours: Number(overlap), ...(own && { secret }) });
  return (
    <Form failed="Couldn't rotate the secret" error={error} onSubmit={submit}>
      {issued ? null : (
        <Field label="New secret">
          <Select options={ORIGINS} value={origin} onValueChange={setOrigin} />
        </Field>
      )}
      {own ? (
        <Field
          name="secret"
          label="The sender's secret"
          hint="At least 8 characters, as issued, without quotes. Blanks and line ends around it are left out."
        >
          <Input
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            minLength={8}
            required
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        </Field>
      ) : null}
      <Field name="overlapHours" label="Accept the old secret for" hint={overlapHint(overlap, starts.unproven)}>
        <Select options={OVERLAPS} value={overlap} onValueChange={setOverlap} />
      </Field>
      <FormButtons submitLabel={own ? "Set secret" : "Generate secret"} pending={pending} onCancel={onCancel} />
    </Form>
  );
}
