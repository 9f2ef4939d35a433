import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { CodeBlock } from "#components/ui/code-block";
import { useCopy } from "#components/ui/copy-icon";
import { toast } from "#components/ui/feedback/toast";
import { type JsonPath, type JsonTools, JsonView } from "#components/ui/json-view";
import { Button } from "#components/ui/primitives/button";
import { SearchInput } from "#components/ui/primitives/input";
import { RelativeTime } from "#components/ui/relative-time";
import { bytesWords } from "#lib/client/format/bytes";
import { countMatches, filterFor, pathText } from "#lib/client/format/payload-filter";
import type { EventDetail } from "#lib/contracts/events/events";
import { countWords, formatNumber } from "#lib/contracts/format-count";

type Look = "tree" | "raw" | "received";

export function PayloadTab({ event }: { event: EventDetail }) {
  const [look, setLook] = useState<Look>("tree");
  const tree = look === "tree" && event.envelope !== null;
  const looks: [Look, string][] = [
    ["tree", "Tree"],
    ["raw", "Raw"],
    ...(event.receivedRaw === null ? [] : [["received", "As received"] satisfies [Look, string]]),
  ];
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        <div className="flex items-center gap-1">
          {looks.map(([value, label]) => (
            <Button
              key={value}
              size="sm"
              variant={look === value ? "secondary" : "ghost"}
              aria-pressed={look === value}
              onClick={() => setLook(value)}
            >
              {label}
            </Button>
          ))}
          <span className="ml-auto text-12 text-muted">{`${bytesWords(event.bytes)} ${event.receivedRaw === null ? "as received" : "as signed"}`}</span>
        </div>
        {tree ? <PayloadTree key={event.id} value={event.envelope} /> : <RawBody event={event} received={look === "received"} />}
        {look === "tree" && event.envelope === null ? (
          <p className="text-12 text-muted">The body can't be shown as a tree: it is nested too deeply or isn't JSON.</p>
        ) : null}
      </div>
      {event.conflictBodies.map((body, index) => (
        <ConflictBody key={body.sha256} body={body} label={`conflicting body ${index + 1}`} />
      ))}
      {event.conflictBodies.length < event.conflicts ? (
        <p className="text-12 text-muted">
          {`Showing the first ${event.conflictBodies.length} of ${formatNumber(event.conflicts)} conflicting bodies.`}
        </p>
      ) : null}
    </div>
  );
}

function ConflictBody({ body, label }: { body: EventDetail["conflictBodies"][number]; label: string }) {
  return (
    <div className="flex flex-col gap-2">
      <h2 className="text-13 font-medium">
        {label.charAt(0).toUpperCase() + label.slice(1)}
        <span className="ml-2 font-normal text-12 text-muted">
          {bytesWords(body.bytes)}, first received <RelativeTime at={body.receivedAt} />
          {body.repeats > 0 ? `, ${countWords(body.repeats, "more time", "more times")} since` : ""}
        </span>
      </h2>
      {body.raw === null ? (
        <p className="break-all text-12 text-muted">
          Not kept: three bodies of an event are. SHA-256 <span className="font-mono">{body.sha256}</span>
        </p>
      ) : (
        <CodeBlock code={body.raw} label={label} />
      )}
    </div>
  );
}

function RawBody({ event, received }: { event: EventDetail; received: boolean }) {
  if (received) return <CodeBlock code={event.receivedRaw ?? ""} label="body as received" title="Not what was signed: nothing reads it" />;
  if (event.raw !== null) return <CodeBlock code={event.raw} label="raw body" />;
  return <CodeBlock code={event.rawBase64 ?? ""} label="raw body in base64" title="Not UTF-8: shown in base64" />;
}

function PayloadTree({ value }: { value: unknown }) {
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
        <SearchInput
          label="Find in payload"
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
