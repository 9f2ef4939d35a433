import { Badge } from "#components/ui/badge";
import { StateIcon } from "#components/ui/state-icon";

/** Every permission that is needed or was given, each with whether it was granted. */
export function ScopeList({ required, granted }: { required: string[]; granted: string[] }) {
  const all = [...new Set([...required, ...granted])];
  if (all.length === 0) return <span className="text-muted">None asked for</span>;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {all.map((scope) => (
        <li key={scope}>
          <Badge
            tone={granted.includes(scope) ? "neutral" : "attention"}
            icon={<StateIcon state={granted.includes(scope) ? "fine" : "attention"} />}
          >
            <span className="font-mono">{scope}</span>
            <span className="sr-only">{granted.includes(scope) ? " granted" : " not granted"}</span>
          </Badge>
        </li>
      ))}
    </ul>
  );
}
