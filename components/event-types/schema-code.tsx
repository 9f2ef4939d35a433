import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { ChoiceButtons, ChoiceMenu } from "#components/ui/choice";
import { CodeBlock } from "#components/ui/code-block";
import { withFallback } from "#components/ui/layout/content-states";
import { LinkButton } from "#components/ui/primitives/button";
import { type SchemaFormat, schemaPath, schemaTextQuery } from "#lib/client/queries/event-types";
import type { EventTypeDetail } from "#lib/contracts/event-types";
import { choiceOf, choicesOf } from "./schema-versions.tsx";

const FORMATS = [
  { value: "typescript", label: "TypeScript" },
  { value: "zod", label: "Zod" },
  { value: "json-schema", label: "JSON Schema" },
] as const satisfies { value: SchemaFormat; label: string }[];

/** The schema as code, to be copied or downloaded. */
export function SchemaCode({ detail }: { detail: EventTypeDetail }) {
  const [format, setFormat] = useState<SchemaFormat>("typescript");
  const [chosen, setChosen] = useState("observed");
  const choice = choiceOf(chosen);
  const { data: text, fallback } = withFallback(useQuery(schemaTextQuery(detail.id, choice, format)), { what: "the types", rows: 8 });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ChoiceButtons legend="Format" choices={FORMATS} chosen={format} onChoose={setFormat} />
        <ChoiceMenu label="Schema" value={chosen} options={choicesOf(detail)} onChange={setChosen} className="w-52" />
        <LinkButton href={schemaPath(detail.id, choice, format)} icon={<Download aria-hidden />} download className="ml-auto">
          Download
        </LinkButton>
      </div>
      <p className="max-w-[72ch] text-13 text-muted">
        A field is required where all of 300 or more events had it. Values are suggestions, unless they were pinned or accepted as all that
        there are. For every event type at once: <code className="text-12">signalbox types --from observed</code>
      </p>
      {text !== undefined ? <CodeBlock code={text} label="types" /> : fallback}
    </div>
  );
}
