"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field } from "#components/ui/form";
import { ErrorState, LoadingState, Refreshing } from "#components/ui/layout/content-states";
import { Section } from "#components/ui/layout/section";
import { Select } from "#components/ui/primitives/select";
import { ExactTime } from "#components/ui/relative-time";
import {
  fieldMappingPreviewQuery,
  fieldMappingQuery,
  fieldMappingSuggestionsQuery,
  useSaveFieldMapping,
} from "#lib/client/queries/sources";
import type { FieldMapping, FieldMappingSuggestions, SourceFieldMapping } from "#lib/contracts/sources/field-mapping";
import { MappingPreview } from "./mapping-preview.tsx";
import { firstRows, type MappingRow, MappingRows, mappingOf, Suggestions, withPath } from "./mapping-rows.tsx";
import { FollowUp, SaveMapping } from "./save-mapping.tsx";

type FieldMappingPageProps = {
  sources: { id: string; name: string }[];
  sourceId: string;
  /** The type of event to try first; null for all. */
  type: string | null;
  /** The issues whose failed events the mapping is made for. */
  issues: string[];
  allowed: { change: boolean; redeliver: boolean; release: boolean };
};

const DESCRIPTION =
  "If the platform sends an ID, a name or a status under another field, enter its path. These paths are tried before the built-in ones.";

export function FieldMappingPage({ sources, sourceId, type, issues, allowed }: FieldMappingPageProps) {
  const { data, error, refetch } = useQuery(fieldMappingQuery(sourceId));
  const wanted = issues.length > 0 && allowed.change;
  const suggestions = useQuery({ ...fieldMappingSuggestionsQuery(sourceId, issues), enabled: wanted });
  const router = useRouter();
  const choose = (id: string) => router.replace(`/settings/field-mapping?source=${encodeURIComponent(id)}`);
  return (
    <Section title="Field mapping" description={DESCRIPTION}>
      {sources.length > 1 ? (
        <Field label="Source" className="max-w-60">
          <Select options={sources.map(({ id, name }) => ({ value: id, label: name }))} value={sourceId} onValueChange={choose} />
        </Field>
      ) : null}
      {data && !(wanted && suggestions.isPending) ? (
        <Editor key={sourceId} saved={data} suggestions={suggestions.data ?? null} type={type} allowed={allowed} />
      ) : error ? (
        <ErrorState what="the field mapping" error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState what="the field mapping" rows={4} />
      )}
    </Section>
  );
}

const ALL_TYPES = "all";

type EditorProps = {
  saved: SourceFieldMapping;
  suggestions: FieldMappingSuggestions | null;
} & Pick<FieldMappingPageProps, "type" | "allowed">;

function Editor({ saved, suggestions, type: first, allowed }: EditorProps) {
  const { id, name } = saved.source;
  // Only the issues of events that lack an ID.
  const issues = suggestions?.issues ?? [];
  const [rows, setRows] = useState<MappingRow[]>(() => firstRows(saved.mapping, suggestions));
  const [type, setType] = useState(issues.length > 0 ? null : first);
  const mapping = mappingOf(rows);
  const preview = useQuery({ ...fieldMappingPreviewQuery(id, useSettled(mapping), type, issues), enabled: allowed.change });
  const save = useSaveFieldMapping(id);
  const change = (next: MappingRow[]) => {
    save.reset();
    setRows(next);
  };
  const types = [...new Set([...(preview.data?.types ?? []), ...(type === null ? [] : [type])])].sort();
  return (
    <div className="flex flex-col gap-6">
      {issues.length > 0 && suggestions ? (
        <Suggestions suggestions={suggestions} onChoose={(field, path) => change(withPath(rows, field, path))} />
      ) : null}
      <MappingRows rows={rows} builtIn={saved.builtIn} paths={preview.data?.paths ?? []} readOnly={!allowed.change} onChange={change} />
      {save.isError ? <ProblemNotice announce what="Couldn't save the mapping" why={save.error.message} /> : null}
      <div className="flex flex-wrap items-center gap-3">
        {allowed.change ? (
          <SaveMapping
            source={name}
            issues={issues}
            failing={preview.data?.failing ?? null}
            same={JSON.stringify(mapping) === JSON.stringify(saved.mapping)}
            saving={save.isPending}
            canRedeliver={allowed.redeliver}
            save={() => save.mutateAsync({ mapping })}
          />
        ) : null}
        <Changed saved={saved} />
      </div>
      {save.data ? (
        <FollowUp source={name} changed={save.data} allowed={{ ...allowed, redeliver: allowed.redeliver && issues.length === 0 }} />
      ) : null}
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
            <ProblemNotice what="Couldn't preview this mapping" why={preview.error.message} />
          ) : preview.data ? (
            <Refreshing busy={preview.isPlaceholderData}>
              <MappingPreview preview={preview.data} />
            </Refreshing>
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

const PAUSE_MS = 400;

function useSettled(mapping: FieldMapping): FieldMapping {
  const text = JSON.stringify(mapping);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled);
}
