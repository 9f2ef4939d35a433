import { Copy, Download } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { ChoiceButtons } from "#components/ui/choice";
import { CodeBlock } from "#components/ui/code-block";
import { toast } from "#components/ui/feedback/toast";
import { Section } from "#components/ui/layout/section";
import { Button } from "#components/ui/primitives/button";
import { bodyBytes, bytesWords } from "#lib/client/format/bytes";
import { curlCommand, hexDump, saveBytes } from "#lib/client/format/raw-request";
import { visible } from "#lib/contracts/api/plain-text";
import { formatNumber } from "#lib/contracts/format-count";
import type { QuarantineDetail } from "#lib/contracts/quarantine";

/** Most that the page shows as hex; the rest is in the download. Bytes. */
const MAX_HEX = 65_536;

const LOOKS = [
  { value: "text", label: "Text" },
  { value: "hex", label: "Hex" },
] as const;

export function RawRequest({ entry }: { entry: QuarantineDetail }) {
  const [look, setLook] = useState<"text" | "hex">(entry.raw === null ? "hex" : "text");
  const bytes = bodyBytes(entry);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(curlCommand(window.location.origin, entry));
      toast.success("Copied as cURL");
    } catch {
      toast.error("Couldn't copy", { description: "The browser doesn't allow it here." });
    }
  };
  useCommands([{ label: "Copy this request as cURL", run: () => void copy() }]);
  return (
    <Section
      title="Raw body"
      description={bodyWords(entry, bytes.length)}
      actions={
        <>
          <Button size="sm" icon={<Copy />} onClick={() => void copy()}>
            Copy as cURL
          </Button>
          <Button size="sm" icon={<Download />} onClick={() => saveBytes(`${entry.id}.bin`, bytes)}>
            Download
          </Button>
        </>
      }
    >
      {entry.parseError === null ? null : <ParseError error={entry.parseError} />}
      <ChoiceButtons legend="Show the body as" choices={LOOKS} chosen={look} onChoose={setLook} />
      {look === "hex" ? (
        <CodeBlock
          code={hexDump(bytes.subarray(0, MAX_HEX))}
          label="hex dump"
          wrap={false}
          {...(bytes.length > MAX_HEX && { title: `The first ${bytesWords(MAX_HEX)}` })}
        />
      ) : entry.raw === null ? (
        <CodeBlock code={entry.rawBase64 ?? ""} label="raw body in base64" title="Not UTF-8: shown in base64" />
      ) : (
        <CodeBlock code={entry.raw} label="raw body" />
      )}
    </Section>
  );
}

function ParseError({ error: { offset, line, column, near } }: { error: NonNullable<QuarantineDetail["parseError"]> }) {
  const place = line === null ? "" : ` (line ${formatNumber(line)}, column ${formatNumber(column ?? 0)})`;
  return (
    <div className="rounded-md border border-attention-line bg-attention-surface px-3 py-2 text-13">
      <p>{`${near === null ? "Not UTF-8" : "Not valid JSON"} at byte ${formatNumber(offset)}${place}${near?.at === "" ? ": it ends too early" : ""}.`}</p>
      {near === null ? null : (
        <code className="mt-1 block whitespace-pre-wrap break-all text-12">
          {visible(near.before)}
          <mark className="bg-failed-surface text-failed underline">{near.at === "" ? "⌷" : characterShown(near.at)}</mark>
          {visible(near.after)}
        </code>
      )}
    </div>
  );
}

/** A line break or a space can't be marked. */
const characterShown = (character: string) => ({ "\n": "\\n", "\r": "\\r", "\t": "\\t", " ": "␣" })[character] ?? visible(character);

function bodyWords(entry: QuarantineDetail, kept: number): string {
  if (entry.bytes === 0) return "The body was empty.";
  return kept < entry.bytes
    ? `The first ${bytesWords(kept)} of ${bytesWords(entry.bytes)}. The rest was not stored.`
    : `${bytesWords(kept)}, as received.`;
}
