// Written by tests/integration/api/browser-operations.test.ts.
// biome-ignore-all format: one line an operation.
const alerts = () => import("#lib/contracts/alerts");
const account = () => import("#lib/contracts/auth/account");
const invitations = () => import("#lib/contracts/auth/invitations");
const settings = () => import("#lib/contracts/auth/settings");
const backups = () => import("#lib/contracts/backups");
const connections = () => import("#lib/contracts/connections");
const eventTypes = () => import("#lib/contracts/event-types");
const events = () => import("#lib/contracts/events/events");
const retention = () => import("#lib/contracts/events/retention");
const deliveries = () => import("#lib/contracts/forwarding/deliveries");
const deliveryRetries = () => import("#lib/contracts/forwarding/delivery-retries");
const destinations = () => import("#lib/contracts/forwarding/destinations");
const issues = () => import("#lib/contracts/issues");
const missingEvents = () => import("#lib/contracts/missing-events");
const operations = () => import("#lib/contracts/operations");
const outages = () => import("#lib/contracts/outages");
const quarantine = () => import("#lib/contracts/quarantine");
const redeliveries = () => import("#lib/contracts/redeliveries");
const sandbox = () => import("#lib/contracts/sandbox");
const savedFilters = () => import("#lib/contracts/saved-filters");
const fieldMapping = () => import("#lib/contracts/sources/field-mapping");
const readingPreview = () => import("#lib/contracts/sources/reading-preview");
const sources = () => import("#lib/contracts/sources/sources");
const views = () => import("#lib/contracts/views");

/** Where the schemas of answer and body stand, for each operation of the API that the browser calls. */
export const CHANGES = {
  "DELETE /api/v1/account/factors/passkeys/{id}": [null, null],
  "DELETE /api/v1/account/factors/totp": [null, null],
  "DELETE /api/v1/account/remembered-devices/{id}": [null, null],
  "DELETE /api/v1/account/sessions": [account, "sessionsEnded"],
  "DELETE /api/v1/account/sessions/{id}": [null, null],
  "DELETE /api/v1/alert-channels/{id}": [alerts, "deletedAlertChannel"],
  "DELETE /api/v1/api-keys/{id}": [null, null],
  "DELETE /api/v1/backups": [null, null],
  "DELETE /api/v1/connections/{id}": [connections, "disconnectResult"],
  "DELETE /api/v1/destinations/{id}": [destinations, "deletedDestination"],
  "DELETE /api/v1/invitations/{id}": [null, null],
  "DELETE /api/v1/members/{id}": [null, null],
  "DELETE /api/v1/members/{id}/factors": [account, "factorsRemoved"],
  "DELETE /api/v1/saved-filters/{id}": [null, null],
  "PATCH /api/v1/alert-channels/{id}": [alerts, "alertChannel", alerts, "changeAlertChannelBody"],
  "PATCH /api/v1/alert-rules/{kind}": [alerts, "alertRule", alerts, "changeAlertRuleBody"],
  "PATCH /api/v1/connections/{id}": [connections, "connectionDetail", connections, "changeConnectionBody"],
  "PATCH /api/v1/destinations/{id}": [destinations, "destination", destinations, "changeDestinationBody"],
  "PATCH /api/v1/members/{id}": [null, null, invitations, "changeRoleBody"],
  "PATCH /api/v1/saved-filters/{id}": [savedFilters, "savedFilter", savedFilters, "changeSavedFilterBody"],
  "PATCH /api/v1/sources/{id}": [sources, "source", sources, "changeSourceBody"],
  "PATCH /api/v1/workspace": [account, "workspaceSettings", account, "workspaceSettingsBody"],
  "POST /api/v1/account/recovery-codes": [account, "recoveryCodes"],
  "POST /api/v1/alert-channels": [alerts, "createdAlertChannel", alerts, "createAlertChannelBody"],
  "POST /api/v1/alert-channels/{id}/test": [alerts, "alertChannelTest"],
  "POST /api/v1/alerts/{id}/snooze": [alerts, "snoozed", alerts, "snoozeBody"],
  "POST /api/v1/api-keys": [settings, "createdApiKey", settings, "createApiKeyBody"],
  "POST /api/v1/backups": [backups, "backup"],
  "POST /api/v1/connections": [connections, "startConnectResult", connections, "startConnectBody"],
  "POST /api/v1/connections/{id}/refresh": [connections, "connectionDetail"],
  "POST /api/v1/deliveries/retries 200": [deliveryRetries, "retriesDryRun", deliveryRetries, "deliveryRetriesBody"],
  "POST /api/v1/deliveries/retries 202": [operations, "operation", deliveryRetries, "deliveryRetriesBody"],
  "POST /api/v1/deliveries/{id}/retry": [deliveries, "deliveryDetail"],
  "POST /api/v1/destinations": [destinations, "createdDestination", destinations, "createDestinationBody"],
  "POST /api/v1/destinations/preview": [destinations, "filterPreview", destinations, "filterPreviewBody"],
  "POST /api/v1/destinations/{id}/pause": [destinations, "destination"],
  "POST /api/v1/destinations/{id}/resume": [destinations, "resumedDestination", destinations, "resumeDestinationBody"],
  "POST /api/v1/destinations/{id}/rotate": [destinations, "rotatedDestinationSecret", destinations, "rotateDestinationBody"],
  "POST /api/v1/destinations/{id}/test": [destinations, "destinationTest"],
  "POST /api/v1/event-types/{id}/accept": [eventTypes, "eventTypeDetail", eventTypes, "acceptDriftBody"],
  "POST /api/v1/event-types/{id}/ignore": [eventTypes, "eventTypeDetail", eventTypes, "fieldSettingsBody"],
  "POST /api/v1/event-types/{id}/pin": [eventTypes, "eventTypeDetail", eventTypes, "pinBody"],
  "POST /api/v1/event-types/{id}/publish": [eventTypes, "publishedVersion"],
  "POST /api/v1/event-types/{id}/relearn": [operations, "operation"],
  "POST /api/v1/events/exports": [operations, "operation", events, "exportBody"],
  "POST /api/v1/events/{id}/redeliver": [events, "redeliveryAccepted", redeliveries, "redeliverBody"],
  "POST /api/v1/invitations": [invitations, "createdInvitation", invitations, "inviteBody"],
  "POST /api/v1/issues/assignee": [issues, "issuesChanged", issues, "issuesAssigneeBody"],
  "POST /api/v1/issues/snooze": [issues, "issuesChanged", issues, "issuesSnoozeBody"],
  "POST /api/v1/issues/state": [issues, "issuesChanged", issues, "issuesStateBody"],
  "POST /api/v1/issues/{id}/snooze": [alerts, "snoozed", alerts, "snoozeBody"],
  "POST /api/v1/issues/{id}/state": [issues, "issue", issues, "issueStateBody"],
  "POST /api/v1/missing-events/dismissals": [missingEvents, "missingEventsSetAside", missingEvents, "missingEventDismissalBody"],
  "POST /api/v1/missing-events/restorations": [missingEvents, "missingEventsRestored", missingEvents, "missingEventRestorationBody"],
  "POST /api/v1/missing-events/snoozes": [missingEvents, "missingEventsSetAside", missingEvents, "missingEventSnoozeBody"],
  "POST /api/v1/operations/{id}/resume": [operations, "operation"],
  "POST /api/v1/operations/{id}/stop": [operations, "operation"],
  "POST /api/v1/outages/dismissals": [null, null, outages, "outageDismissal"],
  "POST /api/v1/quarantine/dismissals": [quarantine, "dismissalResult", quarantine, "dismissalBody"],
  "POST /api/v1/quarantine/releases 200": [quarantine, "releasesResult", quarantine, "releasesBody"],
  "POST /api/v1/quarantine/releases 202": [operations, "operation", quarantine, "releasesBody"],
  "POST /api/v1/quarantine/restorations": [quarantine, "restorationResult", quarantine, "restorationBody"],
  "POST /api/v1/quarantine/{id}/release": [quarantine, "releaseResult"],
  "POST /api/v1/redeliveries": [redeliveries, "redeliveriesAccepted", redeliveries, "redeliveriesBody"],
  "POST /api/v1/redeliveries/{id}/dry-run": [redeliveries, "dryRunOutcome"],
  "POST /api/v1/redeliveries/{id}/start": [redeliveries, "redeliveryProgress", redeliveries, "redeliveryStart"],
  "POST /api/v1/saved-filters": [savedFilters, "savedFilter", savedFilters, "createSavedFilterBody"],
  "POST /api/v1/signature-checks": [quarantine, "signatureCheck", quarantine, "signatureCheckBody"],
  "POST /api/v1/sources": [sources, "createdSource", sources, "createSourceBody"],
  "POST /api/v1/sources/{id}/accept-again": [quarantine, "acceptedAgain", quarantine, "acceptAgainBody"],
  "POST /api/v1/sources/{id}/field-mapping/preview": [fieldMapping, "fieldMappingPreview", fieldMapping, "fieldMappingPreviewBody"],
  "POST /api/v1/sources/{id}/learn": [sources, "sourceLearning", sources, "learnSourceBody"],
  "POST /api/v1/sources/{id}/reading/preview": [readingPreview, "readingPreview", readingPreview, "readingPreviewBody"],
  "POST /api/v1/sources/{id}/rotate": [settings, "rotatedSecret", settings, "rotateSecretBody"],
  "POST /api/v1/sources/{id}/verification-token": [sources, "verificationToken"],
  "POST /api/v1/views/rebuilds": [views, "viewRebuild", views, "startRebuildBody"],
  "POST /api/v1/workspaces": [account, "workspaceInfo", account, "workspaceBody"],
  "POST /sandbox/api/events": [sandbox, "sandboxSent", sandbox, "sandboxEventBody"],
  "PUT /api/v1/account/password": [null, null, account, "changePasswordBody"],
  "PUT /api/v1/account/preferences": [account, "preferences", account, "preferences"],
  "PUT /api/v1/retention": [retention, "retention", retention, "retentionBody"],
  "PUT /api/v1/session/workspace": [null, null, account, "switchWorkspaceBody"],
  "PUT /api/v1/sources/{id}/field-mapping": [fieldMapping, "fieldMappingChanged", fieldMapping, "fieldMappingBody"],
  "PUT /api/v1/workspace/sign-in-policy": [account, "signInPolicy", account, "signInPolicy"],
} as const;
