import * as z from "zod/mini";
import { nameText, pageOf, text } from "#lib/contracts/api/parameters";
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
export const ownSessionList = pageOf(ownSession);
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
export const ownWorkspaceList = pageOf(ownWorkspace);
export const workspaceBody = z.object({ name: workspaceName });
export const workspaceInfo = z.object({ id: z.string(), name: z.string() });

/** What is set for a workspace: each is a column of this name, and `field` in the audit log. PATCH /api/v1/workspace sets those of its body. */
export const WORKSPACE_SETTINGS = {
  name: { action: "workspace.renamed", words: "Renamed the workspace", field: "name" },
  requiresSecondFactor: {
    action: "workspace.sign_in_policy_changed",
    words: "Changed whether members need a second factor",
    field: "requiresSecondFactor",
  },
  retentionDays: { action: "retention.changed", words: "Changed how long events are kept", field: "days" },
} as const;
export type WorkspaceSetting = keyof typeof WORKSPACE_SETTINGS;
export const workspaceSettings = z.object({ id: z.string(), name: z.string() });
export const workspaceSettingsBody = z.object({ name: workspaceName });

export const switchWorkspaceBody = z.object({ workspaceId: text(100).check(z.minLength(1)) });

export type PendingStep = "prove" | "set_up";

/** `remembered` is a browser in which the person proved a factor before. */
export type Factor = "totp" | "passkey" | "recovery_code" | "remembered";

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
});
export type Passkey = z.infer<typeof passkey>;

export const rememberedDevice = z.object({
  id: z.string(),
  userAgent: z.nullable(z.string()),
  lastUsedAt: z.string(),
  rememberedUntil: z.string(),
});
export type RememberedDevice = z.infer<typeof rememberedDevice>;

export const ownFactors = z.object({
  /** False for an account without a password: single sign-on asks for the second factor. */
  available: z.boolean(),
  required: z.boolean(),
  totpSince: z.nullable(z.string()),
  passkeys: z.array(passkey),
  recoveryCodesLeft: z.int(),
  rememberedDevices: z.array(rememberedDevice),
});
export type OwnFactors = z.infer<typeof ownFactors>;

export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const signInPolicy = z.object({ requiresSecondFactor: z.boolean() });

export const factorsRemoved = z.object({ removed: z.int(), emailed: z.boolean() });

const shortText = text(200);

/** Answer of a browser's WebAuthn interface (level 3, section 5.1). The library checks it; its other fields are not read. */
const credential = {
  id: text(2048),
  rawId: text(2048),
  type: z.literal("public-key"),
  clientExtensionResults: z._default(z.looseObject({}), {}),
};
const registration = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: text(8192),
    attestationObject: text(32_768),
    transports: z._default(z.array(text(20)).check(z.maxLength(10)), []),
  }),
});
const assertion = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: text(8192),
    authenticatorData: text(8192),
    signature: text(8192),
    userHandle: z.nullish(text(200)),
  }),
});
export type PasskeyAssertion = z.infer<typeof assertion>;

export const nothing = z.object({});
export const proveBody = z.object({
  proof: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("totp"), code: shortText }),
    z.object({ kind: z.literal("recovery_code"), code: shortText }),
    z.object({ kind: z.literal("passkey"), response: assertion }),
  ]),
  remember: z._default(z.boolean(), false),
});
export type ProveBody = z.infer<typeof proveBody>;
export const passkeySignInBody = z.object({ response: assertion });
export const totpCodeBody = z.object({ code: shortText });
export const passkeyBody = z.object({ name: nameText(80, "Enter a name."), response: registration });
export type PasskeyBody = z.infer<typeof passkeyBody>;
export const confirmBody = z.object({ password: text(1000).check(z.minLength(1)) });

/** `qr`: the code as a path in a square of `size` modules. */
export const totpSetup = z.object({ secret: z.string(), qr: z.object({ size: z.int(), path: z.string() }) });
export type TotpSetup = z.infer<typeof totpSetup>;
export const factorAdded = z.object({ recoveryCodes: z.nullable(z.array(z.string())) });
export type FactorAdded = z.infer<typeof factorAdded>;
export const passkeyOptions = z.object({ options: z.looseObject({ challenge: z.string() }) });
