import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { toast } from "#components/ui/feedback/toast";
import { Field, Form, FormButtons } from "#components/ui/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { controlLook } from "#components/ui/primitives/input";
import { useWindowAction } from "#components/ui/primitives/use-action";
import { type Documentation, readDocumentation } from "#lib/client/format/read-documentation";
import { useEventTypeActions } from "#lib/client/queries/event-types";
import type { EventTypeDetail } from "#lib/contracts/event-types";
import { countWords } from "#lib/contracts/format-count";

type PinFromFileProps = { detail: EventTypeDetail; open: boolean; onOpenChange: (open: boolean) => void };

/** Reads a sender's documentation in the browser, shows how it differs from what was seen, and pins the part that is about this type. */
export function PinFromFile({ detail, open, onOpenChange }: PinFromFileProps) {
  const { pin } = useEventTypeActions(detail.id);
  const read = useMutation({ mutationFn: (file: File) => readDocumentation(file, detail) });
  const [chosen, setChosen] = useState<string | null>(null);
  const found = read.data;
  const save = async () => {
    if (!found) return;
    await pin.mutateAsync({ jsonSchema: found.schema as Record<string, unknown>, file: found.file });
    toast.success("Pinned", { description: `${detail.type} is checked against ${found.file}.` });
  };
  const { run, busy, problem, clearProblem, change } = useWindowAction("Couldn't pin the schema", save, onOpenChange);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Pin from a file"
      description="The sender's own documentation of this type: a JSON Schema, or an OpenAPI file with webhooks. Each event that deviates is counted, and the first opens an issue."
      className="max-w-[600px]"
    >
      <Form failed="Couldn't pin the schema" error={problem} onSubmit={run}>
        <Field
          label="File"
          hint={read.isPending ? "Reading the file." : "JSON or YAML. Only the part about this type is sent."}
          {...(read.error && chosen !== null && { error: read.error.message })}
        >
          <input
            type="file"
            accept=".json,.yaml,.yml,application/json,application/yaml"
            aria-label="File"
            className={`${controlLook} py-1.5`}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (!file) return;
              setChosen(file.name);
              clearProblem();
              read.mutate(file);
            }}
          />
        </Field>
        {found ? <Preview read={found} /> : null}
        <FormButtons submitLabel="Pin schema" pending={busy} disabled={!found} onCancel={() => change(false)} />
      </Form>
    </Dialog>
  );
}

const SHOWN = 20;

function Preview({ read: { name, notes, differences } }: { read: Documentation }) {
  const noted = notes.map((note) => ` ${note}`).join("");
  if (differences.length === 0)
    return <p className="break-words text-13">{`${name === "" ? "The schema" : name} says what was seen.${noted}`}</p>;
  return (
    <ProblemNotice
      tone="attention"
      what={`${name === "" ? "The schema" : name} differs from what was seen in ${countWords(differences.length, "place")}.`}
      why={
        <span className="flex max-h-60 flex-col gap-1 overflow-y-auto">
          {differences.slice(0, SHOWN).map(({ path, expected, observed }) => (
            <span key={`${path} ${observed}`}>
              <span className="break-all font-mono text-12 text-text">{path}</span> {`documented as ${expected}, ${observed}`}
            </span>
          ))}
        </span>
      }
      fix={`${differences.length > SHOWN ? `And ${differences.length - SHOWN} more. ` : ""}Events like these would open an issue once it is pinned.${noted}`}
    />
  );
}
