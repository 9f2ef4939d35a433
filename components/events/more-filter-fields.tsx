"use client";

import { SlowInput } from "#components/events/slow-input";
import { Select } from "#components/ui/select";
import { Switch } from "#components/ui/switch";
import type { EventFilter } from "#lib/contracts/events";

const ANY = "*";

/** A connection's name, by its id. */
export type ConnectionName = { id: string; name: string };

export type MoreFiltersProps = {
  filter: EventFilter;
  change: (part: EventFilter) => void;
  sources: string[];
  connections: ConnectionName[];
};

/** The fields behind "More". */
export function MoreFilterFields({ filter, change, sources, connections }: MoreFiltersProps) {
  return (
    <div className="flex flex-col gap-4">
      <SlowInput
        label="Resource id"
        placeholder="Resource, such as doc_1"
        value={filter.resource ?? ""}
        onChange={(resource) => change({ resource })}
      />
      <Select
        label="Connection"
        value={filter.connection ?? ANY}
        onValueChange={(connection) => change({ connection: connection === ANY ? undefined : connection })}
        options={[{ value: ANY, label: "Any connection" }, ...connections.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <Select
        label="Source"
        value={filter.source ?? ANY}
        onValueChange={(source) => change({ source: source === ANY ? undefined : source })}
        options={[{ value: ANY, label: "Any source" }, ...sourceOptions(sources, filter.source)]}
      />
      <Switch checked={filter.duplicates === "only"} onCheckedChange={(only) => change({ duplicates: only ? "only" : undefined })}>
        Only what came more than once
      </Switch>
    </div>
  );
}

const sourceOptions = (sources: string[], chosen: string | undefined) =>
  [...new Set(chosen === undefined ? sources : [...sources, chosen])].map((name) => ({ value: name, label: name }));
