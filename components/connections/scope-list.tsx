import { Badge } from "#components/ui/badge";
import { type State, StateIcon } from "#components/ui/state-icon";

/** Every permission that is needed or was given, each with whether it was granted. Before the first grant they are only asked for. */
export function ScopeList({ required, granted }: { required: string[]; granted: string[] }) {
  const all = [...new Set([...required, ...granted])];
  if (all.length === 0) return <span className="text-muted">None asked for</span>;
  const missing: { state: State; tone: "neutral" | "attention"; words: string } =
    granted.length === 0
      ? { state: "neutral", tone: "neutral", words: "asked for" }
      : { state: "attention", tone: "attention", words: "not granted" };
  const lookOf = (scope: string) =>
    granted.includes(scope) ? { state: "fine" as const, tone: "neutral" as const, words: "granted" } : missing;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {all.map((scope) => {
        const { state, tone, words } = lookOf(scope);
        return (
          <li key={scope}>
            <Badge tone={tone} icon={<StateIcon state={state} />}>
              <span className="font-mono">{scope}</span>
              <span className="sr-only"> {words}</span>
            </Badge>
          </li>
        );
      })}
    </ul>
  );
}
