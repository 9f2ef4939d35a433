import { z } from "zod";
import { ACCOUNTS, type AuthorizationRequest, type RejectionReason, SCOPE_WORDS } from "./authorization-request.ts";

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

// Faults of the consent page, so that every failure of an OAuth connection can be seen (docs/platform.md, "Errors").
const AT_THE_DIALOG = {
  refuse_scope: "Reject the permissions as not allowed",
  callback_not_registered: "Act as if the callback is not registered",
  deny_without_state: "Deny and leave out the state",
  wrong_state: "Return a different state",
  no_code: "Return without a code",
  expired_code: "Issue an expired code",
} as const;

/** Shown only at the token endpoint; stored with the code, and some with the grant. */
const AT_THE_EXCHANGE = {
  wrong_client: "Reject the client secret on code exchange",
  platform_down: "Return 503 on code exchange",
  slow_answer: "Take 6 seconds on code exchange",
  broken_answer: "Return truncated HTML on code exchange",
  fewer_scopes: "Grant only the first permission",
  no_refresh_token: "Issue no refresh token",
  no_lifetime: "Omit the access token's lifetime",
  short_life: "Issue access tokens that expire in 30 seconds",
  broken_renewals: "Return truncated HTML on every renewal",
  slow_renewals: "Take 6 seconds on every renewal",
} as const;

const DIALOG_FAULTS = { ...AT_THE_DIALOG, ...AT_THE_EXCHANGE };
export type DialogFault = keyof typeof DIALOG_FAULTS;
export const dialogFault = z.enum(Object.keys(DIALOG_FAULTS) as [DialogFault, ...DialogFault[]]);

export type ExchangeFault = keyof typeof AT_THE_EXCHANGE;
export const isExchangeFault = (fault: string | null): fault is ExchangeFault => fault !== null && Object.hasOwn(AT_THE_EXCHANGE, fault);

/** Renders a page's frame. Shares nothing with Signalbox's look: a person must see that they are with another party. */
function pageFrame(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Sandbox platform</title>
<link rel="icon" href="${ICON}">
<style>${STYLE}</style>
</head>
<body>
<header><span class="mark" aria-hidden="true"><i></i><i></i><i></i></span> Sandbox platform <small>simulated, runs alongside Signalbox</small></header>
<main>${main}</main>
<footer>Everything here is simulated. Use it until you register your own app with the platform.</footer>
</body>
</html>`;
}

/** In the page: the browser would ask for Signalbox's, which the page's policy forbids. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E%3Cpath fill='%238a3a1c' d='M1 1h5v18H1zM8 7h5v12H8zM15 12h4v7h-4z'/%3E%3C/svg%3E";

const STYLE = `
:root{--paper:#f6f1e7;--sheet:#fffdf8;--ink:#2b2118;--soft:#665746;--line:#e0d5c2;--brand:#8a3a1c;--on-brand:#fff;--brand-press:#6f2c13;--wash:#f3e4d6;--focus:#1f5fbf}
@media (prefers-color-scheme:dark){:root{--paper:#1d1712;--sheet:#28201a;--ink:#f3e9dc;--soft:#bfae9b;--line:#43372d;--brand:#e79a6c;--on-brand:#2a1306;--brand-press:#f2b48f;--wash:#382a20;--focus:#8ab8ff}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;gap:20px;padding:32px 16px;background:var(--paper);color:var(--ink);font:15px/1.5 ui-sans-serif,system-ui,sans-serif}
header{width:100%;max-width:480px;display:flex;align-items:center;gap:10px;font:600 17px/1.2 Georgia,"Times New Roman",serif}
header small{margin-left:auto;font:13px/1.3 ui-sans-serif,system-ui,sans-serif;color:var(--soft);text-align:right}
.mark{display:inline-flex;gap:3px}.mark i{width:6px;height:18px;border-radius:3px;background:var(--brand)}.mark i:nth-child(2){height:12px;align-self:end}.mark i:nth-child(3){height:7px;align-self:end}
main{width:100%;max-width:480px;background:var(--sheet);border:1px solid var(--line);border-radius:14px;padding:28px}
footer{max-width:480px;font-size:13px;color:var(--soft);text-align:center}
h1{margin:0 0 6px;font:600 24px/1.25 Georgia,"Times New Roman",serif;text-wrap:balance}
h2{margin:24px 0 8px;font-size:15px;line-height:1.3;font-weight:600}
p{margin:0 0 12px}.soft{color:var(--soft)}
fieldset{border:0;margin:24px 0 0;padding:0}legend{padding:0;margin-bottom:8px;font-weight:600}
.choices{display:grid;gap:8px}@media (min-width:421px){.pair{grid-template-columns:1fr 1fr}}
.choice{display:flex;gap:12px;align-items:center;padding:12px 14px;border:1px solid var(--line);border-radius:10px;cursor:pointer}
.choice:has(input:checked){border-color:var(--brand);background:var(--wash)}
.choice input{accent-color:var(--brand);width:18px;height:18px;margin:0;flex:none}
.choice b,.scopes b{display:block}.choice span span,.scopes span{color:var(--soft);font-size:14px}
.scopes{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}
.scopes li{display:flex;gap:12px;padding:8px 0;border-bottom:1px solid var(--line)}
.scopes li::before{content:"";flex:none;width:8px;height:8px;margin-top:8px;border-radius:50%;background:var(--brand)}
code{font:13px/1.4 ui-monospace,monospace;overflow-wrap:anywhere;color:var(--soft)}
.actions{display:flex;gap:10px;margin-top:24px}
button{flex:1;min-height:46px;padding:0 16px;border-radius:10px;border:1px solid var(--line);background:transparent;color:var(--ink);font-family:inherit;font-size:15px;font-weight:600;cursor:pointer}
button.main{background:var(--brand);border-color:var(--brand);color:var(--on-brand)}
button.main:hover{background:var(--brand-press);border-color:var(--brand-press)}button:hover{border-color:var(--brand)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
details{margin-top:20px;border-top:1px solid var(--line);padding-top:14px}summary{cursor:pointer;color:var(--soft)}
details p{margin-top:10px}details .choices{gap:0}details .choice{border:0;padding:6px 4px}
a{color:var(--brand)}
@media (max-width:420px){body{padding:20px 12px}main{padding:20px}header small{display:none}}
`;

/** Escapes text for HTML content and quoted attributes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
