import { escaped } from "#lib/sandbox/html";
import { pageFrame } from "#lib/sandbox/page-frame";
import type { AuthorizationRequest, RejectionReason } from "./authorization-request.ts";
import { DIALOG_FAULTS } from "./dialog-faults.ts";
import { ACCOUNTS, SCOPE_WORDS } from "./registered-app.ts";

export function dialogPage(request: AuthorizationRequest, appName: string, ticket: string): string {
  const app = escaped(appName);
  return pageFrame(
    `Connect ${appName}?`,
    `<h1>${app} asks for access to your account</h1>
<p class="soft">You are on the platform now, not in ${app}. You can revoke access at any time.</p>
<form method="post" action="/sandbox/oauth/authorize/decision">
<input type="hidden" name="ticket" value="${escaped(ticket)}">
<fieldset><legend>Account to link</legend><div class="choices pair">${accountChoices()}</div></fieldset>
<h2>${app} will be able to</h2>
<ul class="scopes">${request.scopes.map(scopeItem).join("")}</ul>
<div class="actions"><button name="decision" value="deny">Deny</button><button class="main" name="decision" value="approve">Approve</button></div>
<details><summary>Simulate faults</summary>
<p class="soft">See how ${app} handles a fault on the platform. Choose one, then press Approve.</p>
<div class="choices" role="radiogroup" aria-label="Simulate faults">${faultChoices()}</div></details>
</form>
<p class="soft" style="margin:16px 0 0">You will be redirected to <code>${escaped(request.redirectUri)}</code></p>`,
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
  const options = [["", "No fault"], ...Object.entries(DIALOG_FAULTS)];
  return options
    .map(
      ([value = "", words = ""]) =>
        `<label class="choice"><input type="radio" name="fault" value="${value}"${value === "" ? " checked" : ""}><span>${escaped(words)}</span></label>`,
    )
    .join("");
}

const REJECTIONS: Record<RejectionReason | "ticket_rejected", { title: string; why: string; fix: string }> = {
  unknown_app: {
    title: "Unknown app",
    why: "The client ID in the URL doesn't belong to any app registered on the platform.",
    fix: "Check PLATFORM_CLIENT_ID in the app's settings, then connect again.",
  },
  callback_not_registered: {
    title: "The redirect failed",
    why: "The callback URL is not registered in the OAuth app, so you can't be redirected to it.",
    fix: "Register the app's callback, or set APP_URL to the registered URL, then connect again.",
  },
  ticket_rejected: {
    title: "This page has expired",
    why: "It was open for more than 15 minutes, or it was opened in another browser. No access was granted.",
    fix: "Go back to the app and connect again.",
  },
};

export function rejectionPage(reason: keyof typeof REJECTIONS, backTo: string): string {
  const { title, why, fix } = REJECTIONS[reason];
  return pageFrame(
    title,
    `<h1>${escaped(title)}</h1><p>${escaped(why)}</p><p>${escaped(fix)}</p><p style="margin:0"><a href="${escaped(backTo)}">Back to the app</a></p>`,
  );
}
