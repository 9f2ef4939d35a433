import { useQuery } from "@tanstack/react-query";
import { BellOff, CircleCheck, CircleDot, Eye, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import type { MenuEntry } from "#components/ui/overlay/panes/menu-pane";
import { DropdownMenu } from "#components/ui/overlay/popover";
import type { State } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { useAssignIssues, useMoveIssue } from "#lib/client/queries/issues";
import { membersQuery } from "#lib/client/queries/member-list";
import { cappedNumber, countWords, nounFor } from "#lib/contracts/format-count";
import { ISSUE_FILTERS } from "#lib/contracts/issue-filters";
import type { Assignee, Issue, IssueAction, IssueCause, IssueState } from "#lib/contracts/issues";

export const STATE_WORDS: Record<IssueState, { word: string; tone: State }> = {
  open: { word: "Open", tone: "failed" },
  acknowledged: { word: "Acknowledged", tone: "attention" },
  resolved: { word: "Resolved", tone: "fine" },
  ignored: { word: "Ignored", tone: "neutral" },
};

export const ACTION_WORDS: Record<IssueAction, { label: string; hint: string; done: string; icon: ReactNode }> = {
  acknowledge: { label: "Acknowledge", hint: "Someone is working on it.", done: "Acknowledged", icon: <Eye /> },
  resolve: { label: "Resolve", hint: "It reopens if it recurs.", done: "Resolved", icon: <CircleCheck /> },
  ignore: { label: "Ignore", hint: "You won't be alerted if it recurs.", done: "Ignored", icon: <BellOff /> },
  reopen: { label: "Reopen", hint: "It returns to the open issues.", done: "Reopened", icon: <CircleDot /> },
};

export const originWords = ({ origin }: Pick<Issue, "origin">) => ISSUE_FILTERS.origin.choices[origin];

export const eventsWords = (count: number) => `${cappedNumber(count)} ${nounFor(count, "event")}`;

/** A suspension's events are those at which it was suspended: what it holds back is counted on the destination's page. */
export function issueEventsWords(issue: Pick<Issue, "origin" | "code" | "count" | "failing" | "repaired">): string {
  const { origin, code, count, failing, repaired } = issue;
  if (count === 0) return "Its events have been deleted";
  if (code === "destination_suspended") return suspensionWords(count, failing);
  if (origin === "processing" && repaired > 0) return `${cappedNumber(count)} failed, ${cappedNumber(repaired)} repaired`;
  if (failing === 0) return `${eventsWords(count)}, none failed now`;
  return failing === count ? eventsWords(count) : `${eventsWords(count)}, ${cappedNumber(failing)} failed now`;
}

function suspensionWords(count: number, failing: number): string {
  const times = count === 1 ? "Suspended once" : `Suspended ${cappedNumber(count)} times`;
  return failing > 0 ? `${times}, suspended now` : `${times}, not suspended now`;
}

/** Returns where it fails, such as `automation auto_1`; null if the event type says enough. */
export function placeWords({ origin, place }: Pick<Issue, "origin" | "place">): string | null {
  if (origin === "schema") return place.slice(place.indexOf(" ") + 1);
  if (origin !== "platform" || place === "") return null;
  return place.replace(/^(automation|run|integration):/, "$1 ");
}

const CAUSE_WORDS: Record<IssueCause, string> = {
  recurred: "Reopened: it recurred",
  settled: "Resolved automatically: its events succeeded",
  expired: "Resolved automatically: its events were deleted",
};

export function stateWords({ state, stateBy, stateCause }: Pick<Issue, "state" | "stateBy" | "stateCause">): string {
  if (stateBy !== null) return state === "open" ? `Reopened by ${stateBy}` : `${STATE_WORDS[state].word} by ${stateBy}`;
  if (stateCause !== null) return CAUSE_WORDS[stateCause];
  return STATE_WORDS[state].word;
}

/** The action that leads back to a state. */
const UNDO: Record<IssueState, IssueAction> = { open: "reopen", acknowledged: "acknowledge", resolved: "resolve", ignored: "ignore" };

export function useIssueAction(issue: Issue): { act: (action: IssueAction) => void; pending: IssueAction | null } {
  const move = useMoveIssue(issue.id);
  const change = (action: IssueAction, done: () => void) => tellOutcome(move.mutateAsync({ action }), done, "Couldn't change the issue");
  const undo = (state: IssueState) => {
    const back = UNDO[state];
    return { label: "Undo", onClick: () => change(back, () => toast.success(ACTION_WORDS[back].done)) };
  };
  const act = (action: IssueAction) => {
    const { done, hint } = ACTION_WORDS[action];
    const before = issue.state;
    change(action, () => toast.success(done, { description: hint, action: undo(before) }));
  };
  return { act, pending: move.isPending ? move.variables.action : null };
}

const NOBODY = "none";

type AssignmentProps = { issues: Issue[]; ownId: string | null; onDone?: () => void };

export function AssignMenu({ size, ...assignment }: AssignmentProps & { size?: "sm" }) {
  const { entries, load, isPending } = useAssignment(assignment);
  return (
    <DropdownMenu
      label="Assign to"
      className="max-h-80 overflow-y-auto"
      onOpenChange={(open) => open && load()}
      entries={entries}
      trigger={
        <Button icon={<UserRound />} loading={isPending} {...(size && { size })}>
          Assign
        </Button>
      }
    />
  );
}

/** Returns a menu's entries that assign issues. `load` reads the members, when the menu opens. */
export function useAssignment({ issues, ownId, onDone }: AssignmentProps): { entries: MenuEntry[]; load: () => void; isPending: boolean } {
  const { members, isError, load } = useAssignees(false);
  const { mutateAsync, isPending } = useAssignIssues();
  const options = [
    ...(ownId === null ? [] : [{ value: ownId, label: "Me" }]),
    { value: NOBODY, label: "Nobody" },
    ...members.filter(({ value }) => value !== ownId),
  ];
  const words = issues.length === 1 ? "the issue" : countWords(issues.length, "issue");
  const current = new Set(issues.map(({ assignee }) => assignee?.id ?? NOBODY));
  const assign = (value: string) =>
    tellOutcome(
      mutateAsync({ ids: issues.map(({ id }) => id), assignee: value === NOBODY ? null : value }),
      () => {
        onDone?.();
        const to = value === ownId ? "you" : options.find((option) => option.value === value)?.label;
        toast.success(value === NOBODY ? `Unassigned ${words}` : `Assigned ${words} to ${to}`);
      },
      `Couldn't assign ${words}`,
    );
  const entries: MenuEntry[] = [
    { kind: "choice", value: current.size === 1 ? [...current].join() : "", onChange: assign, options },
    ...(isError ? [{ kind: "label" as const, label: "Couldn't load the members" }] : []),
  ];
  return { entries, load, isPending };
}

export const assigneeName = ({ name, email }: Pick<Assignee, "name" | "email">): string => name ?? email;

/** Returns the members as menu options. `now` false: not until `load` is called, when the menu opens. */
export function useAssignees(now: boolean) {
  const { data = [], isError, refetch } = useQuery({ ...membersQuery, enabled: now });
  return { members: data.map((member) => ({ value: member.id, label: assigneeName(member) })), isError, load: () => void refetch() };
}
