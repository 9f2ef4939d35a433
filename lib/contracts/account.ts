import * as z from "zod/mini";
import { role } from "./settings.ts";

/** `GET /api/v1/account/sessions`: where the person is signed in. */
export const ownSession = z.object({
  id: z.string(),
  current: z.boolean(),
  workspaceName: z.string(),
  userAgent: z.nullable(z.string()),
  address: z.nullable(z.string()),
  method: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
});
export type OwnSession = z.infer<typeof ownSession>;
export const ownSessionList = z.object({ data: z.array(ownSession), nextCursor: z.null() });
export const sessionsEnded = z.object({ ended: z.int() });

export const changePasswordBody = z.object({
  current: z.string().check(z.minLength(1), z.maxLength(1000)),
  next: z.string().check(z.maxLength(1000)),
});
export type ChangePasswordBody = z.infer<typeof changePasswordBody>;

const workspaceName = z.string().check(z.trim(), z.minLength(1, "Give it a name."), z.maxLength(120));

/** `GET /api/v1/workspaces`: those that the person is a member of. */
export const ownWorkspace = z.object({ id: z.string(), name: z.string(), role, current: z.boolean() });
export type OwnWorkspace = z.infer<typeof ownWorkspace>;
export const ownWorkspaceList = z.object({ data: z.array(ownWorkspace), nextCursor: z.null() });
export const workspaceBody = z.object({ name: workspaceName });
export const workspaceInfo = z.object({ id: z.string(), name: z.string() });
export const switchWorkspaceBody = z.object({ workspaceId: z.string().check(z.minLength(1), z.maxLength(100)) });
