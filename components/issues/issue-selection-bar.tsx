import { AlarmClock, X } from "lucide-react";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { useKeepFocus } from "#components/ui/overlay/focus";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { useMoveIssues, useSnoozeIssues } from "#lib/client/queries/issues";
import type { SnoozeFor } from "#lib/contracts/alerts";
import { countWords } from "#lib/contracts/format-count";
import type { Issue, IssueAction } from "#lib/contracts/issues";
import { ACTION_WORDS, AssignMenu } from "./issue-state.tsx";

const SNOOZES: { value: SnoozeFor; label: string }[] = [
  { value: "1h", label: "For 1 hour" },
  { value: "1d", label: "For a day" },
  { value: "recurrence", label: "Until it happens again" },
];

const ACTIONS = Object.keys(ACTION_WORDS) as IssueAction[];

const FAILED = "Couldn't change the issues";

type BarProps = { selected: Issue[]; ownId: string | null; canSnooze: boolean; onDone: () => void };

export function IssueSelectionBar({ selected, ownId, canSnooze, onDone }: BarProps) {
  const bar = useKeepFocus<HTMLElement>();
  const move = useMoveIssues();
  const snooze = useSnoozeIssues();
  const ids = selected.map(({ id }) => id);
  const act = (action: IssueAction) =>
    tellOutcome(
      move.mutateAsync({ ids, action }),
      ({ changed, unchanged }) => {
        onDone();
        const description =
          unchanged.length > 0
            ? `${countWords(unchanged.length, "issue")} unchanged: they are already resolved or can't be changed this way.`
            : undefined;
        toast.success(`${ACTION_WORDS[action].done}: ${countWords(changed.length, "issue")}`, { ...(description && { description }) });
      },
      FAILED,
    );
  const rest = (lasts: SnoozeFor) =>
    tellOutcome(
      snooze.mutateAsync({ ids, for: lasts }),
      ({ changed }) => {
        onDone();
        toast.success(`Snoozed the alerts of ${countWords(changed.length, "issue")}`);
      },
      FAILED,
    );
  const possible = ACTIONS.filter((action) => selected.some(({ actions }) => actions.includes(action)));
  return (
    <section
      ref={bar}
      aria-label="Selection"
      className="enter-rise sticky bottom-4 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-2 rounded-md border border-line-strong bg-raised py-2 pr-2 pl-4 shadow-raised max-rail:bottom-20"
    >
      <p role="status" className="mr-2 text-13 font-medium">{`${countWords(selected.length, "issue")} selected`}</p>
      {possible.map((action) => (
        <Button
          key={action}
          size="sm"
          icon={ACTION_WORDS[action].icon}
          title={ACTION_WORDS[action].hint}
          loading={move.isPending && move.variables.action === action}
          onClick={() => act(action)}
        >
          {ACTION_WORDS[action].label}
        </Button>
      ))}
      <AssignMenu issues={selected} ownId={ownId} size="sm" onDone={onDone} />
      {canSnooze ? (
        <DropdownMenu
          label="Snooze the alerts of the selected issues"
          entries={SNOOZES.map(({ value, label }) => ({ label, onSelect: () => rest(value) }))}
          trigger={
            <Button size="sm" icon={<AlarmClock />} loading={snooze.isPending}>
              Snooze alerts
            </Button>
          }
        />
      ) : null}
      <Button variant="ghost" size="sm" icon={<X />} onClick={onDone}>
        Clear
      </Button>
    </section>
  );
}
