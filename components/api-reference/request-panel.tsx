"use client";

import { useState } from "react";
import { ChoiceButtons } from "#components/ui/choice";
import { CodeBlock } from "#components/ui/code-block";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { CALL_LANGUAGES, type CallLanguage, callCode, callOf, exampleValues } from "#lib/client/format/api-call";
import type { ApiOperation } from "#lib/contracts/api/openapi";

const RunForm = lazyComponent(() => import("./run-form.tsx").then((module) => module.RunForm));

type RequestPanelProps = { origin: string; method: string; path: string } & Pick<ApiOperation, "parameters"> & {
    requestBody: ApiOperation["requestBody"] | undefined;
  };

export function RequestPanel({ origin, method, path, parameters, requestBody }: RequestPanelProps) {
  const [language, setLanguage] = useState<CallLanguage>("curl");
  const [values, setValues] = useState(() => exampleValues({ parameters, ...(requestBody && { requestBody }) }));
  const call = callOf(method, path, { parameters }, values);
  return (
    <section aria-label="Request" className="flex min-w-0 flex-col gap-3">
      <ChoiceButtons legend="Language" choices={CALL_LANGUAGES} chosen={language} onChoose={setLanguage} />
      <CodeBlock code={callCode(language, origin, call)} label="code" wrap={false} className="[&_pre]:max-h-80" />
      <RunForm call={call} parameters={parameters} values={values} onChange={setValues} />
    </section>
  );
}
