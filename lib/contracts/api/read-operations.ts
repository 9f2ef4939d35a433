// Written by tests/integration/api/browser-operations.test.ts.
// biome-ignore-all format: one line an operation.
const alerts = () => import("#lib/contracts/alerts");
const account = () => import("#lib/contracts/auth/account");
const audit = () => import("#lib/contracts/auth/audit");
const invitations = () => import("#lib/contracts/auth/invitations");
const settings = () => import("#lib/contracts/auth/settings");
const backups = () => import("#lib/contracts/backups");
const connections = () => import("#lib/contracts/connections");
const eventTypes = () => import("#lib/contracts/event-types");
const events = () => import("#lib/contracts/events/events");
const listeners = () => import("#lib/contracts/events/listeners");
const retention = () => import("#lib/contracts/events/retention");
const deliveries = () => import("#lib/contracts/forwarding/deliveries");
const destinations = () => import("#lib/contracts/forwarding/destinations");
const issues = () => import("#lib/contracts/issues");
const missingEvents = () => import("#lib/contracts/missing-events");
const operations = () => import("#lib/contracts/operations");
const outages = () => import("#lib/contracts/outages");
const overview = () => import("#lib/contracts/overview");
const quarantine = () => import("#lib/contracts/quarantine");
const redeliveries = () => import("#lib/contracts/redeliveries");
const savedFilters = () => import("#lib/contracts/saved-filters");
const fieldMapping = () => import("#lib/contracts/sources/field-mapping");
const sources = () => import("#lib/contracts/sources/sources");
const templates = () => import("#lib/contracts/sources/templates");
const views = () => import("#lib/contracts/views");

/** Where the schemas of answer and body stand, for each operation of the API that the browser calls. */
export const READS = {
  "GET /api/v1/account/factors": [account, "ownFactors"],
  "GET /api/v1/account/sessions": [account, "ownSessionList"],
  "GET /api/v1/alert-channels": [alerts, "alertChannelList"],
  "GET /api/v1/alert-rules": [alerts, "alertRuleList"],
  "GET /api/v1/alerts": [alerts, "alertPage"],
  "GET /api/v1/api-keys": [settings, "apiKeyList"],
  "GET /api/v1/audit": [audit, "auditPage"],
  "GET /api/v1/automations": [views, "viewPage"],
  "GET /api/v1/automations/{id}": [views, "viewDetail"],
  "GET /api/v1/backups": [backups, "backupList"],
  "GET /api/v1/connections": [connections, "connectionPage"],
  "GET /api/v1/connections/{id}": [connections, "connectionDetail"],
  "GET /api/v1/deliveries": [deliveries, "deliveryPage"],
  "GET /api/v1/deliveries/{id}": [deliveries, "deliveryDetail"],
  "GET /api/v1/destinations": [destinations, "destinationList"],
  "GET /api/v1/destinations/{id}": [destinations, "destination"],
  "GET /api/v1/documents": [views, "viewPage"],
  "GET /api/v1/documents/{id}": [views, "viewDetail"],
  "GET /api/v1/event-types": [eventTypes, "eventTypeItems"],
  "GET /api/v1/event-types/{id}": [eventTypes, "eventTypeDetail"],
  "GET /api/v1/event-types/{id}/history": [eventTypes, "schemaHistoryPage"],
  "GET /api/v1/events": [events, "eventPage"],
  "GET /api/v1/events/annotations": [events, "annotations"],
  "GET /api/v1/events/fields": [events, "eventFieldList"],
  "GET /api/v1/events/values": [events, "eventValuesList"],
  "GET /api/v1/events/volume": [events, "eventVolume"],
  "GET /api/v1/events/{id}": [events, "eventDetail"],
  "GET /api/v1/integrations": [views, "viewPage"],
  "GET /api/v1/integrations/{id}": [views, "viewDetail"],
  "GET /api/v1/invitations": [invitations, "invitationList"],
  "GET /api/v1/issues": [issues, "issuePage"],
  "GET /api/v1/issues/causes": [issues, "rootCausePage"],
  "GET /api/v1/issues/{id}": [issues, "issue"],
  "GET /api/v1/issues/{id}/snooze": [alerts, "snoozed"],
  "GET /api/v1/listeners": [listeners, "listenerList"],
  "GET /api/v1/members": [settings, "memberList"],
  "GET /api/v1/missing-events": [missingEvents, "missingEventPage"],
  "GET /api/v1/missing-events/rules": [missingEvents, "missingEventRules"],
  "GET /api/v1/operations": [operations, "operationPage"],
  "GET /api/v1/operations/{id}": [operations, "operation"],
  "GET /api/v1/outages": [outages, "outagePage"],
  "GET /api/v1/overview": [overview, "overview"],
  "GET /api/v1/overview/changes": [overview, "changes"],
  "GET /api/v1/overview/counts": [overview, "counts"],
  "GET /api/v1/pipelines": [views, "viewPage"],
  "GET /api/v1/pipelines/{id}": [views, "viewDetail"],
  "GET /api/v1/pipelines/{id}/board": [views, "pipelineBoard"],
  "GET /api/v1/pipelines/{id}/throughput": [views, "pipelineThroughput"],
  "GET /api/v1/quarantine": [quarantine, "quarantinePage"],
  "GET /api/v1/quarantine/diagnoses": [quarantine, "quarantineDiagnoses"],
  "GET /api/v1/quarantine/{id}": [quarantine, "quarantineDetail"],
  "GET /api/v1/records": [views, "viewPage"],
  "GET /api/v1/records/{id}": [views, "viewDetail"],
  "GET /api/v1/redeliveries": [redeliveries, "redeliveryPage"],
  "GET /api/v1/redeliveries/{id}": [redeliveries, "redeliveryProgress"],
  "GET /api/v1/redeliveries/{id}/events": [redeliveries, "redeliveryEventPage"],
  "GET /api/v1/retention": [retention, "retention"],
  "GET /api/v1/runs": [views, "viewPage"],
  "GET /api/v1/runs/{id}": [views, "viewDetail"],
  "GET /api/v1/saved-filters": [savedFilters, "savedFilterList"],
  "GET /api/v1/session": [settings, "sessionInfo"],
  "GET /api/v1/source-templates": [templates, "sourceTemplateList"],
  "GET /api/v1/sources": [sources, "sourceList"],
  "GET /api/v1/sources/{id}/delay": [settings, "sourceDelay"],
  "GET /api/v1/sources/{id}/field-mapping": [fieldMapping, "sourceFieldMapping"],
  "GET /api/v1/sources/{id}/field-mapping/suggestions": [fieldMapping, "fieldMappingSuggestions"],
  "GET /api/v1/tasks": [views, "viewPage"],
  "GET /api/v1/tasks/{id}": [views, "viewDetail"],
  "GET /api/v1/views/rebuilds": [views, "viewRebuildList"],
  "GET /api/v1/views/search": [views, "viewSearch"],
  "GET /api/v1/views/{kind}/count": [views, "viewCount"],
  "GET /api/v1/views/{kind}/{id}/moments": [views, "viewMoments"],
  "GET /api/v1/views/{kind}/{id}/timeline": [views, "viewTimeline"],
} as const;
