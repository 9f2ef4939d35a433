import * as z from "zod/mini";
import { nameText, text } from "#lib/contracts/api/parameters";
import { role } from "./settings.ts";

export const ownSession = z.object({
  id: z.string(),
  current: z.boolean(),
  workspaceName: z.string(),
  userAgent: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  method: z.string(),
  factor: z.nullable(z.string()),
  waiting: z.boolean(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
});
export type OwnSession = z.infer<typeof ownSession>;
export const ownSessionList = z.object({ data: z.array(ownSession), nextCursor: z.null() });
export const sessionsEnded = z.object({ ended: z.int() });

/** Time zone on screen: the browser's or UTC. The API always answers in UTC. */
export const timeZoneChoice = z.enum(["local", "utc"]);
export const preferences = z.object({ timeZone: timeZoneChoice });
export type Preferences = z.infer<typeof preferences>;

export const changePasswordBody = z.object({
  current: text(1000).check(z.minLength(1)),
  next: text(1000),
});
export type ChangePasswordBody = z.infer<typeof changePasswordBody>;

const workspaceName = nameText(120, "Enter a name.");

export const ownWorkspace = z.object({ id: z.string(), name: z.string(), role, current: z.boolean() });
export type OwnWorkspace = z.infer<typeof ownWorkspace>;
export const ownWorkspaceList = z.object({ data: z.array(ownWorkspace), nextCursor: z.null() });
export const workspaceBody = z.object({ name: workspaceName });
export const workspaceInfo = z.object({ id: z.string(), name: z.string() });
export const switchWorkspaceBody = z.object({ workspaceId: text(100).check(z.minLength(1)) });
