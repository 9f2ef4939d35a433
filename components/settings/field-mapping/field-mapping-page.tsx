"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field } from "#components/ui/forms/field";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { ExactTime } from "#components/ui/time/exact-time";
import { fieldMappingPreviewQuery, fieldMappingQuery, useSaveFieldMapping } from "#lib/client/queries/auth/field-mapping";
import type { FieldMapping, SourceFieldMapping } from "#lib/contracts/sources/field-mapping";
import { type MappingRow, mappingOf, rowsOf } from "./mapping-draft.ts";
import { FollowUp } from "./mapping-follow-up.tsx";
import { MappingPreview } from "./mapping-preview.tsx";
import { MappingRows } from "./mapping-rows.tsx";

type FieldMappingPageProps = {
  sources: { id: string; name: string }[];
  sourceId: string;
  /** The type of event to try it on first; null for all. */
  type: string | null;
  allowed: { change: boolean; redeliver: boolean; release: boolean };
};

const DESCRIPTION =
  "If the platform sends an ID, a name or a status under another field, say where. The paths are tried before the built-in ones.";

/** Where in a source's payloads the fields of records stand. */
export function FieldMappingPage({ sources, sourceId, type, allowed }: FieldMappingPageProps) {
  const { data, error, refetch } = useQuery(fieldMappingQuery(sourceId));
  const router = useRouter();
  const choose = (id: string) => router.replace(`/settings/field-mapping?source=${encodeURIComponent(id)}`);
  return (
    <Section title="Field mapping" description={DESCRIPTION}>
      {sources.length > 1 ? (
        <Field label="Source" className="max-w-60">
          <Select options={sources.map(({ id, name }) => ({ value: id, label: name }))} value={sourceId} onValueChange={choose} />
        </Field>
      ) : null}
      {data ? (
        <Editor key={sourceId} saved={data} type={type} allowed={allowed} />
      ) : error ? (
        <ErrorState what="the field mapping" error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState what="the field mapping" rows={4} />
      )}
    </Section>
  );
}

const PAUSE_MS = 400;
const ALL_TYPES = "all";

function Editor({ saved, type: first, allowed }: { saved: SourceFieldMapping } & Pick<FieldMappingPageProps, "type" | "allowed">) {
  const { id, name } = saved.source;
  const [rows, setRows] = useState<MappingRow[]>(() =>
    Object.keys(saved.mapping).length > 0 ? rowsOf(saved.mapping) : [{ key: 0, field: "documentId", path: "" }],
  );
  const [type, setType] = useState(first);
  const mapping = mappingOf(rows);
  const preview = useQuery({ ...fieldMappingPreviewQuery(id, useSettled(mapping), type), enabled: allowed.change });
  const save = useSaveFieldMapping(id);
  const same = JSON.stringify(mapping) === JSON.stringify(saved.mapping);
  const change = (next: MappingRow[]) => {
    save.reset();
    setRows(next);
  };
  const types = [...new Set([...(preview.data?.types ?? []), ...(type === null ? [] : [type])])].sort();
  return (
    <div className="flex flex-col gap-6">
      <MappingRows rows={rows} builtIn={saved.builtIn} paths={preview.data?.paths ?? []} readOnly={!allowed.change} onChange={change} />
      {save.isError ? <ProblemNotice announce what="Couldn't save the mapping" why={save.error.message} /> : null}
      {allowed.change ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="primary" disabled={same} loading={save.isPending} onClick={() => save.mutate(mapping)}>
            Save mapping
          </Button>
          <Changed saved={saved} />
        </div>
      ) : (
        <Changed saved={saved} />
      )}
      {save.data ? <FollowUp source={name} changed={save.data} allowed={allowed} /> : null}
      {allowed.change ? (
        <Section
          title="Preview"
          actions={
            <Select
              label="Event type"
              className="w-60"
              options={[{ value: ALL_TYPES, label: "All event types" }, ...types.map((value) => ({ value, label: value }))]}
              value={type ?? ALL_TYPES}
              onValueChange={(value) => setType(value === ALL_TYPES ? null : value)}
            />
          }
        >
          {preview.isError ? (
            <ProblemNotice what="Couldn't try this mapping" why={preview.error.message} />
          ) : preview.data ? (
            <MappingPreview preview={preview.data} />
          ) : (
            <LoadingState what="the preview" rows={5} />
          )}
        </Section>
      ) : null}
    </div>
  );
}

function Changed({ saved: { changedAt, changedBy } }: { saved: SourceFieldMapping }) {
  if (changedAt === null) return <p className="text-12 text-muted">Never changed: the built-in paths are used.</p>;
  return (
    <p className="text-12 text-muted">
      Changed <ExactTime at={changedAt} /> by {changedBy}
    </p>
  );
}

/** The mapping after a pause in typing. */
function useSettled(mapping: FieldMapping): FieldMapping {
  const text = JSON.stringify(mapping);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled);
}
