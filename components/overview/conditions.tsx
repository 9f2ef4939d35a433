import { StateIcon } from "#components/ui/feedback/state-icon";
import { LinkButton } from "#components/ui/primitives/link-button";
import type { Overview } from "#lib/contracts/overview";

export function Conditions({ conditions }: { conditions: Overview["conditions"] }) {
  const others = conditions.slice(1);
  if (others.length === 0) return null;
  return (
    <ul aria-label="Also needs attention" className="-mt-4 border-t border-line">
      {others.map(({ level, sentence, action }) => (
        <li key={`${sentence} ${action?.href}`} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-2">
          <StateIcon state={level} />
          <p className="min-w-0 flex-1 basis-64 break-words">{sentence}</p>
          {action === null ? null : (
            <LinkButton size="sm" href={action.href}>
              {action.label}
            </LinkButton>
          )}
        </li>
      ))}
    </ul>
  );
}
