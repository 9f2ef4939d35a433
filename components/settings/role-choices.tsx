import type { Role } from "#lib/contracts/settings";

const ROLES: { value: Role; label: string; hint: string }[] = [
  { value: "viewer", label: "Viewer", hint: "reads everything, changes nothing" },
  { value: "developer", label: "Developer", hint: "also re-delivers, admits and connects" },
  { value: "admin", label: "Admin", hint: "also rotates secrets, makes keys, invites" },
  { value: "owner", label: "Owner", hint: "also makes owners" },
];

/** The roles to choose from; owners for owners alone. */
export const roleChoices = (owners: boolean) => ROLES.filter(({ value }) => owners || value !== "owner");
