import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { CodeBlock } from "#components/ui/code-block";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field, Textarea } from "#components/ui/form";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import type { ApiCall, CallValues } from "#lib/client/format/api-call";
import { exampleWords } from "#lib/client/format/api-schema";
import { type CallAnswer, runCall } from "#lib/client/run-call";
import type { ApiParameter } from "#lib/contracts/api/openapi";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { withCode } from "./schema-fields.tsx";

type RunFormProps = { call: ApiCall; parameters: ApiParameter[]; values: CallValues; onChange: (values: CallValues) => void };

/** Runs the call against this installation: a read at once, a change after a confirmation. */
export function RunForm({ call, parameters, values, onChange }: RunFormProps) {
  const [key, setKey] = useState("");
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const reads = call.method === "GET";
  // What the call needs, or comes with, stands first. It does not move while somebody types.
  const [isFirst] = useState(() => new Set(parameters.filter(({ required, example }) => required || example !== undefined)));
  const [first, more] = [parameters.filter((each) => isFirst.has(each)), parameters.filter((each) => !isFirst.has(each))];
  const run = useMutation({
    mutationFn: () => runCall(call, key.trim()),
    onSuccess: () => (reads ? undefined : queries.invalidateQueries()),
  });
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (reads) run.mutate();
    else setAsking(true);
  }
  return (
    <form onSubmit={submit} aria-label="Run this call" className="flex min-w-0 flex-col gap-3 rounded-md border border-line p-3">
      <div>
        <Button type="submit" variant="primary" icon={<Play />} loading={run.isPending}>
          Run {call.method}
        </Button>
      </div>
      <Answered run={run} />
      <Field label="API key" hint="Leave empty to use your own permissions. The key is not stored." optional>
        <Input
          type="password"
          autoComplete="off"
          className="font-mono"
          placeholder="sbx_…"
          value={key}
          onChange={({ target }) => setKey(target.value)}
        />
      </Field>
      <ParameterFields parameters={first} values={values} onChange={onChange} />
      {more.length === 0 ? null : (
        <details className="flex flex-col">
          <summary className="w-fit cursor-pointer rounded-sm text-13 text-muted hover:text-text">
            {countWords(more.length, "more parameter")}
          </summary>
          <div className="mt-3 flex flex-col gap-3">
            <ParameterFields parameters={more} values={values} onChange={onChange} />
          </div>
        </details>
      )}
      {values.body === null ? null : (
        <Field label="Body" {...jsonError(values.body)}>
          <Textarea
            rows={Math.min(14, values.body.split("\n").length + 1)}
            className="font-mono"
            spellCheck={false}
            value={values.body}
            onChange={({ target }) => onChange({ ...values, body: target.value })}
          />
        </Field>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Run ${call.method} ${call.path}?`}
        description="This call changes the workspace and is recorded in the audit log."
        confirmLabel={`Run ${call.method}`}
        danger={call.method === "DELETE"}
        onConfirm={() => run.mutateAsync()}
      />
    </form>
  );
}

type Run = { error: Error | null; data: CallAnswer | undefined };

const Answered = ({ run: { error, data } }: { run: Run }) => (
  <div role="status" className="flex min-w-0 flex-col gap-2 empty:hidden">
    {error ? <ProblemNotice what="No answer" why="Signalbox isn't responding. Check that it is running and that you are online." /> : null}
    {data ? <Answer answer={data} /> : null}
  </div>
);

type ParameterFieldsProps = Pick<RunFormProps, "parameters" | "values" | "onChange">;

const ParameterFields = ({ parameters, values, onChange }: ParameterFieldsProps) =>
  parameters.map(({ name, in: where, required, description, schema }) => (
    <Field
      key={name}
      label={<code>{name}</code>}
      optional={!required}
      hint={
        <>
          {withCode(description ?? "")}
          {schema.type === "array" ? " Separate several values with commas." : ""}
        </>
      }
    >
      <Input
        required={where === "path"}
        className="font-mono"
        placeholder={exampleWords(schema.examples?.[0]) ?? ""}
        value={values.parameters[name] ?? ""}
        onChange={({ target }) => onChange({ ...values, parameters: { ...values.parameters, [name]: target.value } })}
      />
    </Field>
  ));

function Answer({ answer: { status, ok, ms, bytes, text, cut } }: { answer: CallAnswer }) {
  return (
    <>
      <p className="text-12 text-muted tabular-nums">
        <span data-answer-status className={ok ? "font-medium font-mono text-fine" : "font-medium font-mono text-failed"}>
          {status}
        </span>
        {` in ${formatNumber(ms)} ms, ${countWords(bytes, "byte")}${cut ? ". The rest is not shown." : ""}`}
      </p>
      {text === "" ? null : <CodeBlock code={text} label="response" wrap={false} />}
    </>
  );
}

function jsonError(text: string): { error?: string } {
  try {
    JSON.parse(text);
    return {};
  } catch (error) {
    return { error: `Not valid JSON: ${(error as Error).message}` };
  }
}
