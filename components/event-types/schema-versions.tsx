import { useQuery } from "@tanstack/react-query";
import { Download, FileUp, Pin } from "lucide-react";
import { useState } from "react";
import { ChoiceButtons, ChoiceMenu } from "#components/ui/choice";
import { CodeBlock } from "#components/ui/code-block";
import { CopyIcon } from "#components/ui/copy-icon";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { tellFailure } from "#components/ui/feedback/toast";
import { ErrorState, LoadingState, withFallback } from "#components/ui/layout/content-states";
import { type Column, DataTable, numberColumn, textColumn, timeColumn } from "#components/ui/layout/data-table";
import { Section } from "#components/ui/layout/section";
import { Badge } from "#components/ui/primitives/badge";
import { Button, LinkButton } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/relative-time";
import { compareSchemas } from "#lib/client/format/compare-schemas";
import {
  fieldSchemaQuery,
  type SchemaChoice,
  type SchemaFormat,
  schemaPath,
  schemaTextQuery,
  useEventTypeActions,
} from "#lib/client/queries/event-types";
import type { EventTypeDetail, SchemaVersion } from "#lib/contracts/event-types";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { fieldsIn } from "./event-type-labels.tsx";

const PinFromFile = lazyComponent(() => import("./pin-from-file.tsx").then((module) => module.PinFromFile));

type SchemaVersionsProps = { detail: EventTypeDetail; canManage: boolean };

export function SchemaVersions({ detail, canManage }: SchemaVersionsProps) {
  const [pinning, setPinning] = useState(false);
  const { publish } = useEventTypeActions(detail.id);
  const { versions } = detail;
  return (
    <div className="flex flex-col gap-6">
      <Section
        title="Versions"
        description="A version is made when drift is accepted, or when somebody publishes one. A pinned schema is strict: the first event that deviates opens an issue."
        actions={
          canManage ? (
            <>
              <Button icon={<FileUp />} onClick={() => setPinning(true)}>
                Pin from a file
              </Button>
              <Button
                loading={publish.isPending}
                onClick={() => tellFailure(publish.mutateAsync(undefined), "Couldn't publish the version")}
              >
                Publish a version
              </Button>
            </>
          ) : undefined
        }
      >
        <PinLine detail={detail} />
        {versions.length === 0 ? (
          <p className="text-13 text-muted">No version yet: the schema is what was observed.</p>
        ) : (
          <VersionTable detail={detail} canManage={canManage} />
        )}
      </Section>
      {versions.length > 0 || detail.pin !== null ? <Comparison detail={detail} /> : null}
      {pinning ? <PinFromFile detail={detail} open onOpenChange={setPinning} /> : null}
    </div>
  );
}

function PinLine({ detail: { pin } }: { detail: EventTypeDetail }) {
  if (pin === null) return null;
  return (
    <p className="text-13">
      {`Pinned to ${pin.version === null ? (pin.file ?? "a JSON Schema") : `version ${pin.version}`} `}
      <span className="text-muted">
        <RelativeTime at={pin.pinnedAt} />
        {pin.pinnedBy === null ? "" : ` by ${pin.pinnedBy}`}
      </span>
    </p>
  );
}

function VersionTable({ detail, canManage }: SchemaVersionsProps) {
  const columns: (Column<SchemaVersion> | false)[] = [
    {
      head: "Version",
      cell: ({ number }) => (
        <span className="inline-flex items-center gap-2">
          {number}
          {detail.pin?.version === number ? <Badge tone="accent">Pinned</Badge> : null}
        </span>
      ),
    },
    {
      head: "Reason",
      look: "w-full max-w-0 truncate text-muted",
      cell: ({ reason, createdBy }) =>
        `${reason === "accepted" ? "Drift accepted" : "Published"}${createdBy === null ? "" : ` by ${createdBy}`}`,
    },
    numberColumn("Fields", ({ fields }) => formatNumber(fieldsIn({ fields }))),
    {
      head: "Hash",
      className: "max-[700px]:hidden",
      cell: ({ hash }) => (
        <span className="group/id inline-flex items-center gap-1.5 font-mono text-12 text-muted">
          {hash.replace(/^sha256:/, "").slice(0, 10)}
          <CopyIcon value={hash} className="group-hover/id:opacity-100" />
        </span>
      ),
    },
    timeColumn("Made", ({ createdAt }) => createdAt),
    canManage && { head: "Actions", align: "right", cell: ({ number }) => <PinButton number={number} detail={detail} /> },
  ];
  const versions = detail.versions.toSorted((a, b) => b.number - a.number);
  return <DataTable label="Versions, newest first" columns={columns} rows={versions} keyOf={({ number }) => String(number)} />;
}

function PinButton({ number, detail }: { number: number; detail: EventTypeDetail }) {
  const { pin } = useEventTypeActions(detail.id);
  const pinned = detail.pin?.version === number;
  return (
    <Button
      size="sm"
      variant="ghost"
      icon={<Pin />}
      disabled={pinned}
      loading={pin.isPending}
      onClick={() => tellFailure(pin.mutateAsync({ version: number }), "Couldn't pin the version")}
    >
      {pinned ? "Pinned" : `Pin ${number}`}
    </Button>
  );
}

/** Two schemas side by side: what one has and the other has not, or has otherwise. */
function Comparison({ detail }: { detail: EventTypeDetail }) {
  const choices = choicesOf(detail);
  const newest = choices.find(({ value }) => value !== "observed")?.value ?? "observed";
  const [before, setBefore] = useState(newest);
  const [after, setAfter] = useState("observed");
  const [first, second] = [useQuery(fieldSchemaQuery(detail.id, choiceOf(before))), useQuery(fieldSchemaQuery(detail.id, choiceOf(after)))];
  const error = first.error ?? second.error;
  return (
    <Section title="Compare">
      <div className="flex flex-wrap items-center gap-2 text-13">
        <ChoiceMenu label="Before" value={before} options={choices} onChange={setBefore} className="w-52" />
        <span className="text-muted">with</span>
        <ChoiceMenu label="After" value={after} options={choices} onChange={setAfter} className="w-52" />
      </div>
      {first.data && second.data ? (
        <Changes changes={compareSchemas(first.data, second.data)} />
      ) : error ? (
        <ErrorState what="the schemas" error={error} onRetry={() => void Promise.all([first.refetch(), second.refetch()])} />
      ) : (
        <LoadingState what="the schemas" rows={4} />
      )}
    </Section>
  );
}

type SchemaDifference = ReturnType<typeof compareSchemas>[number];

function Changes({ changes }: { changes: SchemaDifference[] }) {
  if (changes.length === 0) return <p className="text-13 text-muted">Both say the same.</p>;
  return (
    <>
      <p className="text-13 text-muted">
        {`${countWords(changes.length, "field")} differ.`.replace("1 field differ.", "1 field differs.")}
      </p>
      <DataTable label="Differences" columns={CHANGE_COLUMNS} rows={changes} keyOf={({ path }) => path} />
    </>
  );
}

const sideColumn = (head: string, side: "before" | "after", look = ""): Column<SchemaDifference> => ({
  head,
  look: `w-1/3 max-w-0 truncate ${look}`,
  title: (change) => change[side] ?? "not there",
  cell: (change) => change[side] ?? <span className="text-faint">not there</span>,
});

const CHANGE_COLUMNS: Column<SchemaDifference>[] = [
  textColumn("Field", ({ path }) => path, "w-1/3 font-mono text-12"),
  sideColumn("Before", "before", "text-muted"),
  sideColumn("After", "after"),
];

/** The schemas of a type that can be shown: as observed, as pinned, and each version, newest first. */
export const choicesOf = ({ pin, versions }: Pick<EventTypeDetail, "pin" | "versions">): { value: string; label: string }[] => [
  { value: "observed", label: "As observed" },
  ...(pin === null ? [] : [{ value: "pinned", label: pin.file === null ? "As pinned" : `As pinned (${pin.file})` }]),
  ...versions.toSorted((a, b) => b.number - a.number).map(({ number }) => ({ value: String(number), label: `Version ${number}` })),
];

export const choiceOf = (value: string): SchemaChoice => (value === "observed" || value === "pinned" ? value : Number(value));

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
        <LinkButton href={schemaPath(detail.id, choice, format)} icon={<Download />} download className="ml-auto">
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
