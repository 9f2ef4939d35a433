"use client";

import { Search } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import type { JsonPath, JsonTools } from "#components/ui/json/json-tools";
import { JsonView } from "#components/ui/json/json-view";
import { useCopy } from "#components/ui/json/use-copy";
import { Input } from "#components/ui/primitives/input";
import { countMatches, filterFor, pathText } from "#lib/client/queries/events/payload-filter";
import { countWords } from "#lib/contracts/counts/format-count";

export function PayloadTree({ value }: { value: unknown }) {
  const [find, setFind] = useState("");
  const { copy } = useCopy();
  const tree = useRef<HTMLDivElement>(null);
  const at = useRef(-1);
  const needle = find.trim();
  const matches = useMemo(() => countMatches(value, needle), [value, needle]);
  const tools: JsonTools = {
    ...(needle !== "" && { find: needle }),
    onName: (path) => void copyPath(path),
    hrefOf: (path, scalar) => {
      const q = filterFor(path, scalar);
      return q === null ? null : `/events?q=${encodeURIComponent(q)}`;
    },
  };

  async function copyPath(path: JsonPath) {
    if (await copy(pathText(path))) toast.success("Copied path", { description: pathText(path) });
  }

  /** Enter goes to the next match, Shift+Enter to the previous. */
  function step({ key, shiftKey }: KeyboardEvent) {
    const marks = [...(tree.current?.querySelectorAll("mark") ?? [])];
    if (key !== "Enter" || marks.length === 0) return;
    at.current = (at.current + (shiftKey ? -1 : 1) + marks.length) % marks.length;
    marks[at.current]?.scrollIntoView({ block: "center" });
  }

  return (
    <div ref={tree} className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <Input
          type="search"
          aria-label="Find in payload"
          placeholder="Find in payload"
          icon={<Search aria-hidden />}
          value={find}
          onChange={({ target }) => {
            at.current = -1;
            setFind(target.value);
          }}
          onKeyDown={step}
          className="max-w-64"
        />
        <span role="status" className="text-12 text-muted">
          {needle === "" ? null : matches === 0 ? "No matches" : countWords(matches, "match", "matches")}
        </span>
      </div>
      <JsonView value={value} label="payload" defaultDepth={4} tools={tools} />
      <p className="text-12 text-faint">Click a name to copy its path, or a value to find events with the same value.</p>
    </div>
  );
}
