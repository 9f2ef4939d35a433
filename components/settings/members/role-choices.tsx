import type { Role } from "#lib/contracts/auth/settings";

const ROLES: { value: Role; label: string; hint: string }[] = [
  { value: "viewer", label: "Viewer", hint: "can view everything, change nothing" },
  { value: "developer", label: "Developer", hint: "can also re-deliver, release and connect" },
  { value: "admin", label: "Admin", hint: "can also rotate secrets, create API keys and invite" },
  { value: "owner", label: "Owner", hint: "can also manage owners" },
];

/** Returns the roles to choose from; only owners can choose owner. */
export const roleChoices = (owners: boolean) => ROLES.filter(({ value }) => owners || value !== "owner");
