import { type State, StateIcon } from "#components/ui/feedback/state-icon";
import { Badge } from "#components/ui/primitives/badge";

/** Shows permissions as requested before the first grant. */
export function ScopeList({ required, granted }: { required: string[]; granted: string[] }) {
  const all = [...new Set([...required, ...granted])];
  if (all.length === 0) return <span className="text-muted">None requested</span>;
  const missing: { state: State; tone: "neutral" | "attention"; words: string } =
    granted.length === 0
      ? { state: "neutral", tone: "neutral", words: "requested" }
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
