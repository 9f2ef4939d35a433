"use client";

import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "#lib/client/queries/auth/member-list";
import type { Assignee } from "#lib/contracts/issues";

export const assigneeName = ({ name, email }: Pick<Assignee, "name" | "email">): string => name ?? email;

/** Returns the members as menu options. `now` false: not until `load` is called, when the menu opens. */
export function useAssignees(now: boolean) {
  const { data = [], isError, refetch } = useQuery({ ...membersQuery, enabled: now });
  return { members: data.map((member) => ({ value: member.id, label: assigneeName(member) })), isError, load: () => void refetch() };
}
