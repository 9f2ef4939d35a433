"use client";

import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "#lib/client/queries/auth/member-list";
import type { Assignee } from "#lib/contracts/issues";

/** A member's name, or else the email address. */
export const assigneeName = ({ name, email }: Pick<Assignee, "name" | "email">): string => name ?? email;

/**
 * The members of the workspace as options of a menu.
 *
 * @param now false to load them by `load` alone, when the menu opens
 */
export function useAssignees(now: boolean) {
  const { data = [], isError, refetch } = useQuery({ ...membersQuery, enabled: now });
  return { members: data.map((member) => ({ value: member.id, label: assigneeName(member) })), isError, load: () => void refetch() };
}
