"use client";

import { useState } from "react";
import { ChoiceButtons } from "#components/ui/choice";
import { CodeBlock } from "#components/ui/code-block";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { Button } from "#components/ui/primitives/button";
import { CALL_LANGUAGES, type CallLanguage, callCode, callOf, exampleValues } from "#lib/client/format/api-call";
import type { ApiOperation } from "#lib/contracts/api/openapi";

const RunForm = lazyComponent(() => import("./run-form.tsx").then((module) => module.RunForm));

type RequestPanelProps = { origin: string; method: string; path: string } & Pick<ApiOperation, "parameters"> & {
    requestBody: ApiOperation["requestBody"] | undefined;
  };

export function RequestPanel({ origin, method, path, parameters, requestBody }: RequestPanelProps) {
  const [language, setLanguage] = useState<CallLanguage>("curl");
  const [values, setValues] = useState(() => exampleValues({ parameters, ...(requestBody && { requestBody }) }));
  const [trying, setTrying] = useState(false);
  const call = callOf(method, path, { parameters }, values);
  return (
    <section aria-label="Request" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <ChoiceButtons legend="Language" choices={CALL_LANGUAGES} chosen={language} onChoose={setLanguage} />
        {trying ? null : (
          <Button size="sm" variant="primary" onPointerEnter={RunForm.preload} onFocus={RunForm.preload} onClick={() => setTrying(true)}>
            Try it here
          </Button>
        )}
      </div>
      <CodeBlock code={callCode(language, origin, call)} label="code" wrap={false} className="[&_pre]:max-h-80" />
      {trying ? <RunForm call={call} parameters={parameters} values={values} onChange={setValues} /> : null}
    </section>
  );
}
