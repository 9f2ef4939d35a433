import { KeyRound, Pause, Pencil, Play, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { FormDialog } from "#components/shell/form-dialog";
import { useCommands } from "#components/shell/palette/commands";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/form";
import { ConfirmDialog, Dialog } from "#components/ui/overlay/dialog";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { RelativeTime } from "#components/ui/relative-time";
import { SecretOnce } from "#components/ui/secrets";
import {
  useChangeDestination,
  useDeleteDestination,
  usePauseDestination,
  useResumeDestination,
  useRotateDestinationSecret,
} from "#lib/client/queries/destinations";
import { countWords } from "#lib/contracts/format-count";
import { HELD_DAYS } from "#lib/contracts/forwarding/delivery-states";
import type { Destination, HeldChoice } from "#lib/contracts/forwarding/destinations";
import { DestinationForm } from "./destination-form.tsx";
import { pendingWords } from "./destination-labels.tsx";

type Open = "edit" | "rotate" | "delete" | null;
type Props = { destination: Destination; types: string[]; sources: string[] };

export function DestinationActions({ destination, types, sources }: Props) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  useCommands([
    { label: "Edit this destination", run: () => setOpen("edit") },
    ...(destination.mode === "signed" ? [{ label: "Rotate this destination's secret", run: () => setOpen("rotate") }] : []),
    { label: "Delete this destination", run: () => setOpen("delete") },
  ]);
  return (
    <>
      {destination.state === "active" ? <PauseButton destination={destination} /> : <ResumeDialog destination={destination} />}
      <DropdownMenu
        label="More actions"
        trigger={<Button>More</Button>}
        entries={[
          { label: "Edit settings", icon: <Pencil />, onSelect: () => setOpen("edit") },
          destination.mode !== "pass_through" && {
            label: "Rotate secret",
            icon: <KeyRound />,
            onSelect: () => setOpen("rotate"),
          },
          { kind: "line" },
          { label: "Delete destination", icon: <Trash2 />, onSelect: () => setOpen("delete") },
        ]}
      />
      {open === "edit" ? <EditDialog destination={destination} types={types} sources={sources} onClose={close} /> : null}
      {open === "rotate" ? <RotateDestinationSecretDialog destination={destination} onClose={close} /> : null}
      {open === "delete" ? <DeleteDialog destination={destination} onClose={close} /> : null}
    </>
  );
}

function PauseButton({ destination: { id, name } }: { destination: Destination }) {
  const pause = usePauseDestination(id);
  const send = () =>
    tellOutcome(
      pause.mutateAsync(),
      () =>
        toast.success(`Paused ${name}`, {
          description: `Its deliveries are held, and their events are kept for ${HELD_DAYS} days past your retention period.`,
        }),
      "Couldn't pause it",
    );
  useCommands([{ label: "Pause this destination", run: send }]);
  return (
    <Button icon={<Pause />} loading={pause.isPending} onClick={send}>
      Pause
    </Button>
  );
}

function EditDialog({ destination, types, sources, onClose }: Props & { onClose: () => void }) {
  const change = useChangeDestination(destination.id);
  return (
    <Dialog open onOpenChange={onClose} className="max-w-[640px]" title={`Edit ${destination.name}`}>
      <DestinationForm
        destination={destination}
        types={types}
        sources={sources}
        error={change.error}
        pending={change.isPending}
        submitLabel="Save changes"
        onSubmit={(body) => change.mutate(body, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function DeleteDialog({ destination: { id, name, pending }, onClose }: { destination: Destination; onClose: () => void }) {
  const remove = useDeleteDestination(id);
  const router = useRouter();
  const held =
    pending === 0
      ? "Nothing is waiting to be sent."
      : `${pendingWords(pending)} ${pending === 1 ? "waiting delivery is" : "waiting deliveries are"} cancelled.`;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${name}?`}
      description={`${held} Existing deliveries stay visible. This can't be undone.`}
      confirmLabel={`Delete ${name}`}
      danger
      onConfirm={async () => {
        const { cancelled } = await remove.mutateAsync();
        toast.success(`Deleted ${name}`, {
          description: cancelled === 0 ? "" : `${countWords(cancelled, "delivery was", "deliveries were")} cancelled.`,
        });
        router.push("/destinations");
      }}
    />
  );
}

const CHOICES: { value: HeldChoice; label: string; hint: string }[] = [
  { value: "all", label: "Send all", hint: "Oldest first, within the destination's limits." },
  {
    value: "newest_of_each_subject",
    label: "Send the newest of each subject",
    hint: "For each document, task or run only its latest event. The others are skipped.",
  },
  { value: "none", label: "Send none", hint: "All are skipped. Each can still be sent later." },
];

/** The newest of each subject are counted only as they are sent. */
function resumeWords(pending: number, held: HeldChoice): string {
  if (pending === 0 || held === "none") return "Resume";
  return held === "all" ? `Resume and send ${pendingWords(pending)}` : "Resume and send the newest";
}

function ResumeDialog({ destination: { id, name, pending } }: { destination: Destination }) {
  const [held, setHeld] = useState<HeldChoice>("all");
  const resume = useResumeDestination(id);
  return (
    <FormDialog
      title={`Resume ${name}?`}
      trigger={
        <Button variant="primary" icon={<Play />}>
          Resume
        </Button>
      }
      command="Resume this destination"
      failed="Couldn't resume the destination"
      submitLabel={resumeWords(pending, held)}
      onSubmit={async () => {
        const { skipped } = await resume.mutateAsync({ held });
        toast.success(`Resumed ${name}`, {
          description: skipped === 0 ? "" : `${countWords(skipped, "delivery was", "deliveries were")} skipped.`,
        });
      }}
    >
      {pending === 0 ? (
        <p className="text-13 text-muted">Nothing is held.</p>
      ) : (
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-3 text-13">
            {pendingWords(pending)} {pending === 1 ? "delivery is" : "deliveries are"} held.
          </legend>
          {CHOICES.map(({ value, label, hint }) => (
            <label key={value} className="flex cursor-pointer gap-2 text-13">
              <input
                type="radio"
                name="held"
                value={value}
                checked={held === value}
                onChange={() => setHeld(value)}
                className="mt-1 accent-accent"
              />
              <span>
                {label}
                <span className="block text-12 text-muted">{hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}

const OVERLAPS = [
  { value: "24", label: "24 hours", hint: "time to update your application" },
  { value: "1", label: "1 hour" },
  { value: "168", label: "7 days" },
  { value: "0", label: "None", hint: "the old secret leaked: stop signing with it now" },
];

/** Says before the rotation what the choice means. */
export const overlapHint = (hours: string): string =>
  hours === "0"
    ? "Signing with it stops at once: your application rejects requests until it has the new secret."
    : "Until then, each request carries the signatures of both.";

/** Shows the new secret once. Until the overlap ends, requests carry both signatures. */
function RotateDestinationSecretDialog({ destination: { id, name }, onClose }: { destination: Destination; onClose: () => void }) {
  const [overlap, setOverlap] = useState("24");
  const rotate = useRotateDestinationSecret(id);
  const { data } = rotate;
  return (
    <FormDialog
      onClose={onClose}
      title={data ? `New secret for ${name}` : `Rotate secret for ${name}`}
      failed="Couldn't rotate the secret"
      submitLabel="Generate secret"
      onSubmit={() => rotate.mutateAsync({ overlapHours: Number(overlap) })}
      made={
        data ? (
          <>
            <SecretOnce secret={data.secret} what="secret" />
            <p className="text-13 text-muted">
              Set it in your application.{" "}
              {data.previousValidUntil === null || rotate.variables?.overlapHours === 0 ? (
                "Requests no longer carry the old secret's signature."
              ) : (
                <>
                  Requests also carry the old secret's signature. That ends <RelativeTime at={data.previousValidUntil} ahead />.
                </>
              )}
            </p>
          </>
        ) : null
      }
    >
      <Field name="overlapHours" label="Sign with the old secret for" hint={overlapHint(overlap)}>
        <Select options={OVERLAPS} value={overlap} onValueChange={setOverlap} />
      </Field>
    </FormDialog>
  );
}
