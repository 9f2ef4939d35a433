import { useState } from "react";
import { visible } from "#lib/contracts/api/plain-text";
import { writeJson } from "#lib/contracts/exact-json";
import { formatNumber } from "#lib/contracts/format-count";

const SHOWN = 160;

/** Shows a payload value as JSON, never interpreted; a long one is truncated until expanded. */
export function ValueText({ value }: { value: unknown }) {
  const [whole, setWhole] = useState(false);
  const text = value === undefined ? "" : visible(writeJson(value));
  const cut = !whole && text.length > SHOWN;
  return (
    <span className="[unicode-bidi:isolate] break-all font-mono text-12 leading-5">
      {cut ? `${text.slice(0, SHOWN)}…` : text}
      {text.length > SHOWN ? (
        <button type="button" onClick={() => setWhole(!whole)} className="ml-2 rounded-sm font-sans text-accent-text hover:underline">
          {whole ? "Show less" : `Show all ${formatNumber(text.length)} characters`}
        </button>
      ) : null}
    </span>
  );
}
