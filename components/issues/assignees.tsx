import { useQuery } from "@tanstack/react-query";
import { UserRound } from "lucide-react";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import type { MenuEntry } from "#components/ui/overlay/panes/menu-pane";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { useAssignIssues } from "#lib/client/queries/issues";
import { membersQuery } from "#lib/client/queries/member-list";
import { countWords } from "#lib/contracts/format-count";
import type { Assignee, Issue } from "#lib/contracts/issues";

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
        <Button icon={<UserRound aria-hidden />} loading={isPending} {...(size && { size })}>
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
