import type { AuthorizationRequest, RefusalReason } from "./authorization-request.ts";
import { DIALOG_FAULTS } from "./dialog-faults.ts";
import { escaped } from "./html.ts";
import { pageFrame } from "./page-frame.ts";
import { ACCOUNTS, SCOPE_WORDS } from "./registered-app.ts";

/**
 * The permission dialog (platform-spec "Authorization request"): which app
 * asks, for which account, for what, and where the browser goes next.
 */
export function dialogPage(request: AuthorizationRequest, appName: string, ticket: string): string {
  const app = escaped(appName);
  return pageFrame(
    `Let ${appName} in?`,
    `<h1>${app} asks for access to your account</h1>
<p class="soft">You are with the platform now, not with ${app}. You can take this back at any time.</p>
<form method="post" action="/sandbox/oauth/authorize/decision">
<input type="hidden" name="ticket" value="${escaped(ticket)}">
<fieldset><legend>Account to link</legend><div class="choices pair">${accountChoices()}</div></fieldset>
<h2>${app} will be able to</h2>
<ul class="scopes">${request.scopes.map(scopeItem).join("")}</ul>
<div class="actions"><button name="decision" value="deny">Deny</button><button class="main" name="decision" value="approve">Approve</button></div>
<details><summary>Misbehave instead</summary>
<p class="soft">See how ${app} takes it when the platform goes wrong. Choose one, then press Approve.</p>
<div class="choices" role="radiogroup" aria-label="Misbehave">${faultChoices()}</div></details>
</form>
<p class="soft" style="margin:16px 0 0">You will return to <code>${escaped(request.redirectUri)}</code></p>`,
  );
}

function accountChoices(): string {
  return ACCOUNTS.map(
    ({ id, name, about }, index) =>
      `<label class="choice"><input type="radio" name="account" value="${id}"${index === 0 ? " checked" : ""}><span><b>${escaped(name)}</b><span>${escaped(about)}</span></span></label>`,
  ).join("");
}

function scopeItem(scope: string): string {
  const words = SCOPE_WORDS[scope] ?? { title: scope, about: "" };
  return `<li><div><b>${escaped(words.title)}</b><span>${escaped(words.about)}</span> <code>${escaped(scope)}</code></div></li>`;
}

function faultChoices(): string {
  const options = [["", "Behave"], ...Object.entries(DIALOG_FAULTS)];
  return options
    .map(
      ([value = "", words = ""]) =>
        `<label class="choice"><input type="radio" name="fault" value="${value}"${value === "" ? " checked" : ""}><span>${escaped(words)}</span></label>`,
    )
    .join("");
}

const REFUSALS: Record<RefusalReason | "ticket_refused", { title: string; why: string; mend: string }> = {
  unknown_app: {
    title: "This app is not known here",
    why: "The client ID in the address belongs to no app that is registered with the platform.",
    mend: "Check PLATFORM_CLIENT_ID in the app's settings, then connect again.",
  },
  callback_not_registered: {
    title: "The redirect failed",
    why: "The callback URL is not registered in the OAuth app, so you can't be sent there.",
    mend: "Register the app's callback, or set APP_URL to the address that is registered, then connect again.",
  },
  ticket_refused: {
    title: "This page is too old",
    why: "It was open for more than 15 minutes, or it was not opened in this browser. Nothing was granted.",
    mend: "Go back to the app and connect again.",
  },
};

/** The page for what can't be told to the app: what happened, why, what to do. */
export function refusalPage(reason: keyof typeof REFUSALS, backTo: string): string {
  const { title, why, mend } = REFUSALS[reason];
  return pageFrame(
    title,
    `<h1>${escaped(title)}</h1><p>${escaped(why)}</p><p>${escaped(mend)}</p><p style="margin:0"><a href="${escaped(backTo)}">Back to the app</a></p>`,
  );
}
