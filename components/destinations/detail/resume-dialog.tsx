"use client";

import { Play } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { toast } from "#components/ui/feedback/toast";
import { Form, FormButtons } from "#components/ui/forms/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { useResumeDestination } from "#lib/client/queries/forwarding/destinations";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { Destination, HeldChoice } from "#lib/contracts/forwarding/destinations";
import { pendingWords } from "../destination-labels.tsx";

const CHOICES: { value: HeldChoice; label: string; hint: string }[] = [
  { value: "all", label: "Send all", hint: "Oldest first, within the destination's limits." },
  {
    value: "newest_of_each_subject",
    label: "Send the newest of each subject",
    hint: "For each document, task or run only its latest event. The others are skipped.",
  },
  { value: "none", label: "Send none", hint: "All are skipped. Each can still be sent later." },
];

export function ResumeDialog({ destination: { id, name, pending } }: { destination: Destination }) {
  const [open, setOpen] = useState(false);
  const [held, setHeld] = useState<HeldChoice>("all");
  const resume = useResumeDestination(id);
  useCommands([{ label: "Resume this destination", run: () => setOpen(true) }]);
  function submit() {
    // A promise, because the dialog is gone once the destination resumes, and callbacks of `mutate` end with it.
    void resume.mutateAsync(held).then(
      ({ skipped }) => {
        setOpen(false);
        toast.success(`Resumed ${name}`, { description: skipped === 0 ? "" : `${formatNumber(skipped)} deliveries were skipped.` });
      },
      () => {
        // The error is shown in the dialog.
      },
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={`Resume ${name}?`}
      trigger={
        <Button variant="primary" icon={<Play aria-hidden />}>
          Resume
        </Button>
      }
    >
      <Form failed="Couldn't resume the destination" error={resume.error} onSubmit={submit}>
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
        <FormButtons submitLabel={`Resume ${name}`} pending={resume.isPending} onCancel={() => setOpen(false)} />
      </Form>
    </Dialog>
  );
}
