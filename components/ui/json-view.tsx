import { ChevronRight } from "lucide-react";
import { createContext, type ReactNode, useContext, useState } from "react";
import { visible } from "#lib/contracts/api/plain-text";
import { isExactNumber, isNumber, writeJson } from "#lib/contracts/exact-json";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { CopyButton } from "./code-block.tsx";
import { cn } from "./primitives/cn.tsx";
import { PageLink } from "./primitives/page-link.tsx";

type JsonViewProps = { value: unknown; label: string; defaultDepth?: number; tools?: JsonTools };

const DEEPEST = 12;
const NO_TOOLS: JsonTools = {};

/** Shows values as text, never interpreted. Long lists render 100 items at a time: a megabyte costs no more than its expanded part. */
export function JsonView({ value, label, defaultDepth = 2, tools = NO_TOOLS }: JsonViewProps) {
  const [depth, setDepth] = useState(defaultDepth);
  const everything = depth > defaultDepth;
  // A match may be at any depth.
  const openTo = tools.find ? DEEPEST : depth;
  const look = cn("max-h-[640px] overflow-auto p-3 pt-2.5 font-mono text-12", tools.onName ? "leading-6" : "leading-5");
  return (
    <div className="relative rounded-md border border-line bg-sunken">
      <div className="absolute top-1 right-1 z-1 flex items-center gap-1 rounded-md bg-sunken">
        <button
          type="button"
          onClick={() => setDepth(everything ? defaultDepth : DEEPEST)}
          className="h-7 rounded-md px-2 text-12 text-muted hover:bg-hover hover:text-text"
        >
          {everything ? "Collapse" : "Expand"}
        </button>
        <CopyButton value={writeJson(value, 2)} label={`Copy ${label}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0} className={look}>
        <JsonToolsProvider value={tools}>
          <JsonNode key={openTo} path={[]} value={value} level={0} openTo={openTo} last />
        </JsonToolsProvider>
      </section>
    </div>
  );
}

type NodeProps = { name?: string; path: JsonPath; value: unknown; level: number; openTo: number; last: boolean };

const PAGE = 100;

function JsonNode({ name, path, value, level, openTo, last }: NodeProps) {
  const [open, setOpen] = useState(level < openTo);
  const { onName } = useJsonTools();
  const comma = last ? null : <span className="text-faint">,</span>;
  if (typeof value !== "object" || value === null || isExactNumber(value)) {
    return (
      <div className="pl-4">
        <JsonName path={path} name={name} />
        <JsonScalar path={path} value={value} />
        {comma}
      </div>
    );
  }
  const [start, end] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return (
    <div>
      <div className="flex items-start">
        <button
          type="button"
          aria-expanded={open}
          {...(onName ? { "aria-label": `${open ? "Collapse" : "Expand"} ${name ?? "this value"}` } : {})}
          onClick={() => setOpen(!open)}
          className={cn(
            "flex min-h-6 max-w-full items-start rounded-sm py-0.5 text-left hover:bg-hover",
            onName && "-ml-1 w-6 shrink-0 pl-1",
          )}
        >
          <ChevronRight className={cn("mt-1 mr-1 size-3 shrink-0 text-faint transition-transform", open && "rotate-90")} />
          {onName ? null : <Opening name={name} path={path} open={open} start={start} end={end} value={value} />}
        </button>
        {onName ? (
          <div className="py-0.5">
            <Opening name={name} path={path} open={open} start={start} end={end} value={value} />
          </div>
        ) : null}
        {open ? null : comma}
      </div>
      {open ? (
        <>
          <Children path={path} value={value} level={level} openTo={openTo} />
          <div className="pl-4">
            <span className="text-faint">{end}</span>
            {comma}
          </div>
        </>
      ) : null}
    </div>
  );
}

type OpeningProps = { name: string | undefined; path: JsonPath; open: boolean; start: string; end: string; value: object };

function Opening({ name, path, open, start, end, value }: OpeningProps) {
  const length = Object.keys(value).length;
  const noun = Array.isArray(value) ? "item" : "field";
  return (
    <span>
      <JsonName path={path} name={name} />
      <span className="text-faint">{open ? start : `${start}…${end}`}</span>
      {open ? null : <span className="ml-2 text-faint">{countWords(length, noun)}</span>}
    </span>
  );
}

type ChildrenProps = { path: JsonPath; value: object; level: number; openTo: number };

function Children({ path, value, level, openTo }: ChildrenProps) {
  const [shown, setShown] = useState(PAGE);
  const list = Array.isArray(value);
  const entries = Object.entries(value);
  return (
    <div className="ml-1.5 border-l border-line pl-2.5">
      {entries.slice(0, shown).map(([key, item], index) => (
        <JsonNode
          key={key}
          {...(list ? {} : { name: key })}
          path={[...path, list ? Number(key) : key]}
          value={item}
          level={level + 1}
          openTo={openTo}
          last={index === entries.length - 1}
        />
      ))}
      {entries.length > shown ? (
        <button type="button" onClick={() => setShown(shown + PAGE)} className="ml-4 text-accent-text hover:underline">
          {`Show ${Math.min(PAGE, entries.length - shown)} more of ${formatNumber(entries.length - shown)}`}
        </button>
      ) : null}
    </div>
  );
}

/** Text that is written from right to left stays within its quotes, and turns nothing beside it. */
const APART = "[unicode-bidi:isolate]";

function look(value: unknown): string {
  if (typeof value === "string") return `${APART} whitespace-pre-wrap break-all text-fine`;
  return isNumber(value) ? "text-working" : "text-attention";
}

function JsonScalar({ path, value }: { path: JsonPath; value: unknown }) {
  const { hrefOf } = useJsonTools();
  const href = hrefOf?.(path, value) ?? null;
  const text = <Marked text={visible(typeof value === "string" ? JSON.stringify(value) : String(value))} />;
  if (href === null) return <span className={look(value)}>{text}</span>;
  return (
    <PageLink
      href={href}
      title="Find events with this value"
      className={`${look(value)} rounded-sm decoration-dotted underline-offset-2 hover:underline`}
    >
      {text}
    </PageLink>
  );
}

function JsonName({ path, name }: { path: JsonPath; name: string | undefined }) {
  const { onName } = useJsonTools();
  if (name === undefined) return null;
  const text = <Marked text={visible(JSON.stringify(name))} />;
  return (
    <>
      {onName ? (
        <button
          type="button"
          title="Copy path"
          aria-label={`Copy path of ${visible(name)}`}
          onClick={() => onName(path)}
          className={`${APART} break-all rounded-sm text-left text-accent-text hover:underline`}
        >
          {text}
        </button>
      ) : (
        <span className={`${APART} break-all text-accent-text`}>{text}</span>
      )}
      <span className="text-faint">: </span>
    </>
  );
}

export type JsonPath = readonly (string | number)[];

export type JsonTools = {
  find?: string;
  onName?: (path: JsonPath) => void;
  hrefOf?: (path: JsonPath, value: unknown) => string | null;
};

const ToolsContext = createContext<JsonTools>({});

const JsonToolsProvider = ToolsContext;
const useJsonTools = (): JsonTools => useContext(ToolsContext);

function Marked({ text }: { text: string }): ReactNode {
  const { find = "" } = useJsonTools();
  if (find === "") return text;
  const parts: ReactNode[] = [];
  const lower = text.toLowerCase();
  const needle = visible(find).toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(needle); at !== -1 && parts.length < 100; at = lower.indexOf(needle, from)) {
    parts.push(
      text.slice(from, at),
      <mark key={at} className="rounded-sm bg-attention-surface text-text outline-1 outline-attention-line">
        {text.slice(at, at + needle.length)}
      </mark>,
    );
    from = at + needle.length;
  }
  return [...parts, text.slice(from)];
}
